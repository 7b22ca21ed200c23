import type { Arrival } from '../arrivals';
import { isObject, type JsonObject } from '../terms';
import { mostSearched } from './limits';
import { readSchedule, type Schedule } from './schedule';

export const audiences = ['person', 'segment', 'everyone'] as const;
export type Audience = (typeof audiences)[number];

/** One line of the list: what a page holds of each arrival, so all its texts are cut short. */
export interface Row extends Pick<
	Arrival,
	'seq' | 'time' | 'channel' | 'platform' | 'outcome' | 'accepted' | 'status'
> {
	/** Null where nobody is written to, as with users. */
	audience: Audience | null;
	/** The recipient or segment as the body names it. */
	to: string;
	title: string;
	text: string;
	schedule: Schedule;
	/** What a search looks through, in lower case. */
	search: string;
}

const mostShown = 160;

export function toRow(arrival: Arrival): Row {
	const { seq, time, channel, platform, outcome, accepted, status, path, body } = arrival;
	const fields = isObject(body) ? body : {};
	const audience = audienceOf(path);
	const { title, text } = wordsOf(arrival, fields);
	return {
		...{ seq, time, channel, platform, outcome, accepted, status },
		audience,
		to: cut(recipientOf(audience, fields)),
		title: cut(title),
		text: cut(text),
		schedule: readSchedule(channel, body, time),
		search: searchText(arrival),
	};
}

/** Spec §4.2–§4.4: the path says whom a message is for. */
export function audienceOf(path: string): Audience | null {
	const [plain = ''] = path.split('?');
	if (plain.endsWith('/broadcast/all')) return 'everyone';
	if (/\/broadcast(\/segment|\/?)$/.test(plain)) return 'segment';
	return /\/(send|sendMessage)$/.test(plain) ? 'person' : null;
}

const recipientKeys = ['user_id', 'subscription_id', 'email', 'mobile', 'campaign_id'];

function recipientOf(audience: Audience | null, fields: JsonObject): string {
	if (audience === 'segment') return textOf(fields.segment_id);
	if (audience !== 'person') return '';
	return textOf(recipientKeys.map((key) => fields[key]).find((value) => value !== undefined));
}

function wordsOf(
	{ channel, path, rawBody }: Arrival,
	fields: JsonObject,
): { title: string; text: string } {
	switch (channel) {
		case 'user':
			return usersWords(fields.nv);
		case 'push':
			return { title: textOf(fields.title), text: textOf(fields.message) };
		case 'email':
			return { title: textOf(fields.subject), text: withoutTags(textOf(fields.content)) };
		case 'sms':
			return { title: textOf(fields.sender_name), text: textOf(fields.message) };
		default:
			return { title: path, text: rawBody.slice(0, mostShown) };
	}
}

function usersWords(list: unknown): { title: string; text: string } {
	const users: unknown[] = Array.isArray(list) ? list : [];
	const names = users.slice(0, 5).map((user) => textOf(isObject(user) ? user.userID : user));
	return { title: users.length === 1 ? '1 user' : `${users.length} users`, text: names.join(', ') };
}

/** For a line of preview only: it is shown as text, whatever is left in it. */
function withoutTags(html: string): string {
	return html
		.slice(0, 20 * mostShown)
		.replace(/<(style|script|head|title)\b[^]*?<\/\1\s*>/gi, ' ')
		.replace(/<[^>]*>?/g, ' ')
		.replace(/\s+/g, ' ')
		.trim();
}

function searchText({ seq, path, identity, body, rawBody }: Arrival): string {
	const values = body === undefined ? rawBody : [...leaves(body)].join(' ');
	return `#${seq} ${path} ${identity ?? ''} ${values}`.slice(0, mostSearched).toLowerCase();
}

/** The texts and numbers in a value, until there are enough of them. */
function* leaves(value: unknown): Generator<string> {
	const waiting: unknown[] = [value];
	for (let length = 0; waiting.length > 0 && length < mostSearched;) {
		const next = waiting.pop();
		if (typeof next === 'object' && next !== null) {
			waiting.push(...(Object.values(next) as unknown[]).slice(0, mostSearched).reverse());
		} else {
			const text = textOf(next).slice(0, mostSearched);
			length += text.length + 1;
			yield text;
		}
	}
}

export function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	return value === undefined || value === null ? '' : (JSON.stringify(value) ?? '');
}

function cut(text: string): string {
	return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}
