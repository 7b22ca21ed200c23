import { type Sentence, tell } from '../../../nodes/CustomerMessaging/shared/formatting';

/** Matches a sentence, or a problem of a field, that reads so. */
export const saying = (message: string | RegExp, field?: string): unknown => ({
	$$typeof: Symbol.for('jest.asymmetricMatcher'),
	asymmetricMatch(other: Sentence & { field?: string }) {
		const text = tell(other);
		const isSaid = typeof message === 'string' ? text === message : message.test(text);
		return isSaid && (field === undefined || other.field === field);
	},
	toString: () => 'Saying',
	toAsymmetricMatcher: () => `${field ?? ''} ${message}`,
});
