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
export function readText({ body }: Message, key: string): string {
	const value = Object.hasOwn(body, key) ? body[key] : undefined;
	if (value === undefined || value === null) return '';
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Says whom the message reaches. */
export function nameRecipient(message: Message): string {
	const { audience } = message.delivery;
	if (audience !== undefined) return audience.charAt(0).toUpperCase() + audience.slice(1);
	return Object.entries(message.operation.fields.recipients ?? {})
		.filter(([key]) => readText(message, key) !== '')
		.map(([key, { form }]) => `${form.displayName} ${readText(message, key)}`)
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

/** The length of a text: `12 of 70 characters`. */
export function describeLength({ operation, delivery }: Message, key: string): string {
	const { count: length = 0, limit } = operation.measure?.(delivery).characters[key] ?? {};
	return limit === undefined ? count(length, 'character') : `${length} of ${limit} characters`;
}

/** The empty placeholders of a message: `Title: {{ $json.name }}`. */
export function listGaps({ delivery, operation }: Message): string {
	const fields = declaredFields(operation);
	return (delivery.gaps ?? [])
		.map(({ field, code }) => `${fields[field]?.form.displayName ?? field}: {{ ${code} }}`)
		.join(', ');
}
