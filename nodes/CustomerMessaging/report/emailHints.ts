import { isRecord } from '../fields/field';
import type { Operation } from '../operations/operation';
import type { Clock } from '../shared/clock';
import type { Delivery } from '../shared/delivery';
import { count, nameItems } from '../shared/formatting';
import { inSlices } from '../shared/slices';

/** Some mail programs show only the beginning of an email with more HTML than this. */
const CUT_BYTES = 102_000;

/** The beginning of the words for `unsubscribe`, in the languages of many recipients. */
const unsubscribe = new RegExp(
	[
		'unsubscri|opt[\\s-]?out|preferences|abmeld|abbestell|austragen|sabonn|sinscri|sinscrever',
		'de baja|cancelar|desuscri|disiscri|annulla|descadastr|uitschrij|afmeld|avmeld|avregistr',
		'avprenum|odhl|wypisz|rezygn|leiratkoz|dezabon|abonelikten|berhenti|hủy|отпис|відпис',
		'απεγγραφ|διαγραφ|إلغاء|הסר|सदस्यता|退订|退訂|取消|停止|解除|거부|취소',
	].join('|'),
	'iu',
);

/** An HTML link, an address, or a placeholder that the service replaces, such as `[unsubscribe]`. */
const link = /<a\s|https?:\/\/|mailto:|[{[%|][^\s{}[\]%|]+[}\]%|]/i;

/** Hints about emails that are previewed, because an email that has been sent can no longer be changed. */
export async function emailHints(
	{ fields }: Pick<Operation, 'fields'>,
	deliveries: readonly Delivery[],
	clock: Clock,
): Promise<string[]> {
	if (!('content' in fields.required)) return [];
	const large: number[] = [];
	let largestBytes = 0;
	const withoutLink: number[] = [];
	const withoutTags: number[] = [];
	await inSlices(deliveries, { clock }, ({ buildBody, audience, itemIndex }) => {
		const body = buildBody();
		const content = isRecord(body) ? String(body.content) : '';
		if (/\S\s*[\n\r]\s*\S/.test(content) && !/<[a-z]/i.test(content)) withoutTags.push(itemIndex);
		const bytes = Buffer.byteLength(content);
		if (bytes > CUT_BYTES) large.push(itemIndex);
		largestBytes = Math.max(largestBytes, bytes);
		if (audience !== undefined && !(link.test(content) && unsubscribe.test(content)))
			withoutLink.push(itemIndex);
	});
	return [
		...oneParagraph(withoutTags),
		...cutEmails(large, largestBytes),
		...nothingToUnsubscribe(withoutLink),
	];
}

function oneParagraph(items: readonly number[]): string[] {
	if (items.length === 0) return [];
	return [
		`The content of ${count(items.length, 'email')} has several lines and no HTML (${nameItems(items)}). Mail programs show it as one paragraph. Put each paragraph between <p> and </p>`,
	];
}

function cutEmails(items: readonly number[], largestBytes: number): string[] {
	if (items.length === 0) return [];
	const kB = Math.ceil(largestBytes / 1000);
	const size = items.length === 1 ? `${kB} kB` : `up to ${kB} kB`;
	return [
		`${count(items.length, 'email')} ${items.length === 1 ? 'has' : 'have'} a content of ${size} (${nameItems(items)}). Some mail programs cut an email above 102 kB, so its end is hidden, which often holds the link to unsubscribe. Shorten the content`,
	];
}

function nothingToUnsubscribe(items: readonly number[]): string[] {
	if (items.length === 0) return [];
	return [
		`${count(items.length, 'broadcast')} ${items.length === 1 ? 'seems' : 'seem'} to have no link to unsubscribe (${nameItems(items)}). Many countries and mail providers ask for one. The service may add one itself: look at a test email, or add a link to the content`,
	];
}
