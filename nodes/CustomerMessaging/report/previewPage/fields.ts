import { characterCount } from '../../fields/characters';
import { count } from '../../shared/formatting';
import type { Delivery } from '../../shared/delivery';
import { html, type Html, shown } from './html';

/** What a page shows of one message. */
export interface Message {
	body: Readonly<Record<string, unknown>>;
	delivery: Delivery;
	/** When it goes out, in words. */
	when: string;
}

/** A field of the body as text; empty if it is not sent. */
export function textOf({ body }: Message, key: string): string {
	const value = Object.hasOwn(body, key) ? body[key] : undefined;
	if (value === undefined || value === null) return '';
	return typeof value === 'string' ? value : JSON.stringify(value);
}

const recipientKeys = {
	user_id: 'User ID',
	subscription_id: 'Subscription ID',
	email: 'Email',
	mobile: 'Mobile',
	campaign_id: 'Campaign ID',
};

/** Whom the message reaches. */
export function recipientOf(message: Message): string {
	const { audience } = message.delivery;
	if (audience !== undefined) return audience.charAt(0).toUpperCase() + audience.slice(1);
	return Object.entries(recipientKeys)
		.filter(([key]) => textOf(message, key) !== '')
		.map(([key, label]) => `${label} ${textOf(message, key)}`)
		.join(', ');
}

/** A list of names and values, without those that are empty. */
export function facts(entries: ReadonlyArray<readonly [name: string, value: string]>): Html {
	const filled = entries.filter(([, value]) => value !== '');
	return html`<table class="facts">
		${filled.map(
			([name, value]) =>
				html`<tr>
					<th>${name}</th>
					<td>${shown(value)}</td>
				</tr>`,
		)}
	</table>`;
}

/** `12 of 70 characters`. */
export function lengthOf(text: string, limit?: number): string {
	const length = characterCount(text);
	return limit === undefined ? count(length, 'character') : `${length} of ${limit} characters`;
}
