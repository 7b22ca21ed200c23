import type { Arrival } from '../arrivals';
import { isObject, eventPath } from '../terms';
import { toText } from '../json';
import { localMs } from './schedule';

/** What a timeline shows of any event. */
export interface EventInBrief {
	userID: string;
	name: string;
	/** When it happened; the time of its arrival if it names none, null if its format is unknown. */
	atMs: number | null;
	/** The time as it was sent. */
	written: string;
}

/** An event that another request brought. */
export interface OtherEvent extends EventInBrief {
	seq: number;
}

export function eventInBrief(element: unknown, arrivedMs: number): EventInBrief {
	const { userID, event_name, event_time } = isObject(element) ? element : {};
	return {
		userID: toText(userID),
		name: toText(event_name),
		atMs: event_time === undefined ? arrivedMs : (eventMs(event_time) ?? null),
		written: toText(event_time),
	};
}

/** Reads the time of an event in the node's default format, `yyyy-MM-dd HH:mm:ss` in UTC. */
function eventMs(time: unknown): number | undefined {
	return typeof time === 'string' ? localMs(...splitAt(time, ' ')) : undefined;
}

/** Earliest first. Events with unknown times come last, in the order in which they were sent. */
export function byTime(a: Pick<EventInBrief, 'atMs'>, b: Pick<EventInBrief, 'atMs'>): number {
	const [one, other] = [a.atMs ?? Infinity, b.atMs ?? Infinity];
	return one === other ? 0 : one - other;
}

// Bodies are parsed for this, during which the sandbox answers nothing else.
const mostRequests = 1_000;
const mostText = 4_000_000;
const mostOthers = 200;

/** The newest accepted events that other requests brought for the users of this one. */
export function otherEvents(arrival: Arrival, kept: readonly Arrival[]): OtherEvent[] {
	if (!isOfEvents(arrival)) return [];
	const users = new Set(listElements(arrival.body).map(({ userID }) => userID));
	const found: OtherEvent[] = [];
	let text = 0;
	let requests = 0;
	for (const other of [...kept].reverse()) {
		if (other.seq === arrival.seq || !other.accepted || !isOfEvents(other)) continue;
		text += other.rawBody.length;
		requests++;
		if (requests > mostRequests || text > mostText || found.length >= mostOthers) break;
		for (const element of listElements(other.body)) {
			if (!users.has(element.userID)) continue;
			found.push({ ...eventInBrief(element, other.time), seq: other.seq });
		}
	}
	return found.slice(0, mostOthers);
}

function isOfEvents({ path }: Arrival): boolean {
	return path.split('?')[0] === eventPath;
}

function listElements(body: unknown) {
	const list = isObject(body) ? body.nv : undefined;
	return Array.isArray(list) ? list.filter(isObject) : [];
}

function splitAt(text: string, separator: string): [string, string] {
	const at = text.indexOf(separator);
	return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
