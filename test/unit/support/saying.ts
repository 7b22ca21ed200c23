import { type Sentence, tell } from '../../../nodes/CustomerMessaging/shared/formatting';

/** Matches a problem of a field that reads so. */
export const saying = (message: string, field: string): unknown => ({
	$$typeof: Symbol.for('jest.asymmetricMatcher'),
	asymmetricMatch: (other: Sentence & { field: string }) =>
		tell(other) === message && other.field === field,
	toString: () => 'Saying',
	toAsymmetricMatcher: () => `${field} ${message}`,
});
