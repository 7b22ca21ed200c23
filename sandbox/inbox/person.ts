import type { Arrival } from '../arrivals';
import { toText } from '../json';
import { eventPath, isObject, type JsonObject } from '../terms';
import { byTime, eventInBrief, type OtherEvent } from './events';
import { maxRows } from './limits';
import { toRow, type Row } from './row';

/** What the sandbox knows of one user. */
export interface Person {
	userID: string;
	/** As they are after all accepted requests. */
	attributes: JsonObject;
	/** When the user was first created, and by which request. Null if nobody has created the user. */
	created: { time: number; seq: number } | null;
	/** Earliest first. */
	events: OtherEvent[];
	/** Newest first, also those that the service refused. */
	messages: Row[];
}

const mostListed = 200;

export function collectPerson(userID: string, kept: readonly Arrival[]): Person {
	const newest = kept.slice(-maxRows);
	const person: Person = { userID, attributes: {}, created: null, events: [], messages: [] };
	for (const arrival of newest.filter(mentions([userID]))) {
		if (!arrival.accepted) continue;
		const { path, body, seq, time } = arrival;
		for (const element of listElements(body)) {
			if (toText(element.userID) !== userID) continue;
			if (arrival.channel === 'user') {
				person.created ??= { time, seq };
				const { user_attributes: given } = element;
				person.attributes = { ...person.attributes, ...(isObject(given) ? given : {}) };
			} else if (path.split('?')[0] === eventPath) {
				person.events.push({ ...eventInBrief(element, time), seq });
			}
		}
	}
	const { email, mobile } = person.attributes;
	const names = [userID, toText(email), toText(mobile)].filter((name) => name !== '');
	person.messages = newest
		.filter(mentions(names))
		.map(toRow)
		.filter(({ audience, to }) => audience === 'person' && names.includes(to))
		.reverse()
		.slice(0, mostListed);
	person.events = person.events.slice(-mostListed).sort(byTime);
	return person;
}

/** A quick test that spares parsing most bodies. */
function mentions(names: readonly string[]): (arrival: Arrival) => boolean {
	const written = names.map((name) => JSON.stringify(name).slice(1, -1));
	return ({ rawBody }) => written.some((name) => rawBody.includes(name));
}

function listElements(body: unknown): JsonObject[] {
	const list = isObject(body) ? body.nv : undefined;
	return Array.isArray(list) ? list.filter(isObject) : [];
}
