import { declaredFields, type Operation } from '../../operations/operation';
import { count } from '../../shared/formatting';
import type { Delivery } from '../../shared/delivery';
import { html, type Html, shown } from '../../shared/html';

/** What a page shows of one message. */
export interface Message {
	body: Readonly<Record<string, unknown>>;
	delivery: Delivery;
	operation: Operation;
	/** When it goes out, in words. */
	when: string;
}

/** A field of the body as text; empty if it is not sent. */
export function readText({ body }: Pick<Message, 'body'>, key: string): string {
	const value = Object.hasOwn(body, key) ? body[key] : undefined;
	if (value === undefined || value === null) return '';
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** One line below a message. */
export interface Fact {
	name: string;
	text: string;
	/** Why somebody should look at it before the message goes out. */
	look?: string;
}

/** Says whom the message reaches. */
export function recipientFact({ delivery, operation, ...message }: Message): Fact {
	const { audience } = delivery;
	if (audience !== undefined) {
		const look = operation.isBroadcast
			? `reaches ${audience.startsWith('everyone') ? 'all users' : 'a whole segment'}`
			: 'may reach many people';
		return { name: 'To', text: audience.charAt(0).toUpperCase() + audience.slice(1), look };
	}
	const text = Object.entries(operation.fields.recipients ?? {})
		.map(([key, { form }]) => [form.displayName, readText(message, key)])
		.filter(([, value]) => value !== '')
		.map((parts) => parts.join(' '));
	return { name: 'To', text: text.join(', ') };
}

/** Facts as a table, without those that are empty. */
export function facts(entries: readonly Fact[]): Html {
	const filled = entries.filter(({ text }) => text !== '');
	return html`<table class="facts">
		${filled.map(
			({ name, text, look }) =>
				html`<tr>
					<th>${name}</th>
					<td>${shown(text)} ${look && html`<span class="look"><b>!</b> ${look}</span>`}</td>
				</tr>`,
		)}
	</table>`;
}

/** An address to which the message leads. */
export function linkFact(name: string, text: string): Fact {
	return { name, text, look: /^http:/i.test(text) ? 'is not encrypted' : undefined };
}

/** The length of a text: `12 of 70 characters`. */
export function describeLength({ operation, delivery }: Message, key: string): string {
	const { count: length = 0, limit } = operation.measure?.(delivery).characters[key] ?? {};
	return limit === undefined ? count(length, 'character') : `${length} of ${limit} characters`;
}

/** The empty placeholders of a message: `Title: {{ $json.name }}`. */
export function gapsFact({ delivery, operation }: Message): Fact {
	const fields = declaredFields(operation);
	const text = (delivery.gaps ?? [])
		.map(({ field, code }) => `${fields[field]?.form.displayName ?? field}: {{ ${code} }}`)
		.join(', ');
	return { name: 'Placeholders', text, look: 'are empty in this row' };
}
