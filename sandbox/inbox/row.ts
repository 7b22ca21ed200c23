import { decodeHTML } from 'entities';

import type { Arrival } from '../arrivals';
import { readExactJson, toText } from '../json';
import { nameSegment } from '../identities';
import { isMessageChannel, isObject, type JsonObject } from '../terms';
import { maxSearched } from './limits';
import { readSchedule, type Schedule } from './schedule';

export type Audience = 'person' | 'segment' | 'everyone';

/** One line of the list. A page holds thousands of them, so all texts are cut short. */
export interface Row extends Pick<
	Arrival,
	'seq' | 'time' | 'channel' | 'platform' | 'outcome' | 'accepted' | 'status'
> {
	/** Null if nobody gets a message, as with users. */
	audience: Audience | null;
	/** The recipient or segment as the body names it. */
	to: string;
	title: string;
	text: string;
	schedule: Schedule;
	/** What the node finds out by an empty request, which reaches nobody. */
	check: 'credential' | 'service' | null;
	/** What a search looks through, in lower case. */
	search: string;
}

const maxShown = 160;

/** An arrival without its parsed body, which rounds large integers. */
export type Unparsed = Omit<Arrival, 'body'>;

export function toRow(arrival: Unparsed): Row {
	const { seq, time, channel, platform, outcome, accepted, status, path, rawBody } = arrival;
	const read = readExactJson(rawBody);
	const body = 'value' in read ? read.value : undefined;
	const fields = isObject(body) ? body : {};
	const audience = readAudience(path);
	const check = readCheck(path, audience, channel, body);
	const { title, text } = check ? checkWords[check] : readWords(arrival, fields);
	const segment = nameSegment(toText(fields.segment_id)) ?? '';
	const search = `#${seq} ${path} ${arrival.identity ?? ''} ${segment} ${rawBody}`;
	return {
		...{ seq, time, channel, platform, outcome, accepted, status },
		audience,
		to: cut(readRecipient(audience, fields)),
		title: cut(title),
		text: cut(text),
		schedule: readSchedule(channel, body, time),
		check,
		search: search.slice(0, maxSearched).toLowerCase(),
	};
}

/** Spec §4.2–§4.4: the path says whom a message is for. */
export function readAudience(path: string): Audience | null {
	const [plain = ''] = path.split('?');
	if (plain.endsWith('/broadcast/all')) return 'everyone';
	if (/\/broadcast(\/segment|\/?)$/.test(plain)) return 'segment';
	return /\/(send|sendMessage)$/.test(plain) ? 'person' : null;
}

const checkWords = {
	credential: { title: 'Credential test', text: 'An empty list of users, which changes nothing' },
	service: { title: 'Does the service answer?', text: 'An empty request, which reaches nobody' },
};

/**
 * The service refuses an empty list, but only after it has checked the credential. While it fails, and to
 * test an address, the node sends an empty message to one person or an empty list of events.
 */
function readCheck(
	path: string,
	audience: Audience | null,
	channel: Row['channel'],
	body: unknown,
): Row['check'] {
	if (!isObject(body)) return null;
	const isEmptyList = Array.isArray(body.nv) && body.nv.length === 0;
	if (isEmptyList && path === '/api/v1/user/create') return 'credential';
	if (isEmptyList && channel === 'event') return 'service';
	return audience === 'person' && Object.keys(body).length === 0 ? 'service' : null;
}

const recipientKeys = ['user_id', 'subscription_id', 'email', 'mobile', 'campaign_id'];

function readRecipient(audience: Audience | null, fields: JsonObject): string {
	if (audience === 'segment') return toText(fields.segment_id);
	if (audience !== 'person') return '';
	return toText(recipientKeys.map((key) => fields[key]).find((value) => value !== undefined));
}

function readWords(
	{ channel, path, rawBody }: Unparsed,
	fields: JsonObject,
): { title: string; text: string } {
	switch (channel) {
		case 'user':
			return usersWords(fields.nv);
		case 'event':
			if (Array.isArray(fields.nv)) return eventsWords(fields.nv);
			break;
		case 'push':
			return { title: toText(fields.title), text: toText(fields.message) };
		case 'email':
			return { title: toText(fields.subject), text: withoutTags(toText(fields.content)) };
		default:
			if (isMessageChannel(channel))
				return { title: toText(fields.sender_name), text: toText(fields.message) };
	}
	return { title: path, text: rawBody.slice(0, maxShown) };
}

function eventsWords(list: unknown[]): { title: string; text: string } {
	const events = list.slice(0, 5).map((element) => {
		const { userID, event_name } = isObject(element) ? element : {};
		return { userID: toText(userID), name: toText(event_name) };
	});
	const [first] = events;
	if (first && list.length === 1) return { title: first.name, text: first.userID };
	return {
		title: `${list.length} events`,
		text: events.map(({ name, userID }) => `${name} (${userID})`).join(', '),
	};
}

function usersWords(list: unknown): { title: string; text: string } {
	const users: unknown[] = Array.isArray(list) ? list : [];
	const names = users.slice(0, 5).map((user) => toText(isObject(user) ? user.userID : user));
	return { title: users.length === 1 ? '1 user' : `${users.length} users`, text: names.join(', ') };
}

/** An element whose content is not shown, to the end of the text if it is not closed. */
const hiddenElement = /<(style|script|head|title)\b.*?(?=<\/\1|$)/gis;

/** For a preview of one line. The rest is shown as plain text, so no tag in it has an effect. */
function withoutTags(html: string): string {
	const text = html
		.slice(0, 20 * maxShown)
		.replace(hiddenElement, ' ')
		.replace(/<[^>]*>?/g, ' ');
	return decodeHTML(text).replace(/\s+/g, ' ').trim();
}

function cut(text: string): string {
	return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
