import { email } from './email';
import type { Channel, Operation } from './operation';
import { push } from './push';
import { sms } from './sms';

/**
 * All channels. The form begins with the first: n8n's human review of AI agents asks by it, and a push to the
 * reviewer needs the fewest settings.
 */
export const channels: readonly [Channel, ...Channel[]] = [push, email, sms];

/** The names of the channels with an operation of a kind, as alternatives: `Push, Email or SMS`. */
export function channelNames(isOfKind: (operation: Operation) => unknown = () => true): string {
	return channels
		.filter(({ operations }) => operations.some(isOfKind))
		.map(({ name }) => name)
		.join(', ')
		.replace(/, (?=[^,]*$)/, ' or ');
}
