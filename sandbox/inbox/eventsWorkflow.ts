import { toJson } from '../json';
import { isObject, type JsonObject } from '../terms';
import { toAssignments } from './assignments';
import { codeNode, freeColumn } from './codeNode';
import { eventMs } from './events';
import { asText } from './expression';
import { canHold } from './operations';
import {
	customerMessaging,
	usualBatch,
	makeWorkflow,
	type Copy,
	type Parameters,
} from './workflow';

interface Event {
	userID: string;
	name: string;
	time: string;
	ltv?: number;
	attributes: JsonObject;
	/** What no field of the form can hold. */
	extra: JsonObject;
}

/**
 * One event becomes a node with a field for each value. Several events become a Code node with one
 * item for each, and a node that maps the items. Undefined if the node would not send an event like one of them.
 */
export function eventsWorkflow(
	{ nv: _, ...extra }: JsonObject,
	list: unknown[],
	account: Parameters,
): Copy | undefined {
	const events = list.map(toEvent);
	const known = events.filter((event) => event !== undefined);
	const [first] = known;
	if (first === undefined || known.length < events.length) return undefined;

	const common = { ...account, resource: 'event', operation: 'track', scheduleTimezone: 'UTC' };
	const extraBodyFields = isFilled(extra) ? { extraBodyFields: toJson(extra, 2) } : {};
	if (known.length === 1) {
		const parameters = { ...common, ...defineBelow(first, extraBodyFields) };
		return { workflow: makeWorkflow([customerMessaging(parameters)]), notes: [] };
	}
	const { code, parameters } = mapped(known, extraBodyFields);
	return {
		workflow: makeWorkflow([code, customerMessaging({ ...common, ...parameters })]),
		notes: [`The ${known.length} events are in a Code node before it, one item each.`],
	};
}

/** The node itself writes the time of each event, so it has to be one that the node would write. */
function toEvent(element: unknown): Event | undefined {
	if (!isObject(element)) return undefined;
	const { userID, event_name: name, event_time: time, ltv, attributes, ...rest } = element;
	if (!isKey(userID) || !isKey(name) || typeof time !== 'string') return undefined;
	if (eventMs(time) === undefined) return undefined;

	const isNumber = typeof ltv === 'number';
	const areColumns = isObject(attributes) && canBeColumns(attributes);
	return {
		userID,
		name,
		time: time.replace(' ', 'T'),
		...(isNumber ? { ltv } : {}),
		attributes: areColumns ? attributes : {},
		extra: {
			...(ltv === undefined || isNumber ? {} : { ltv }),
			...(attributes === undefined || areColumns ? {} : { attributes }),
			...rest,
		},
	};
}

function isKey(value: unknown): value is string {
	return canHold('text', value) && value === String(value).trim();
}

/** Whether the node sends these attributes from columns, and not fewer: it leaves out empty values. */
function canBeColumns(attributes: JsonObject): boolean {
	const isSent = ([name, value]: [string, unknown]) =>
		isKey(name) && value !== null && (typeof value !== 'string' || value.trim() !== '');
	return isFilled(attributes) && Object.entries(attributes).every(isSent);
}

function isFilled(object: JsonObject): boolean {
	return Object.keys(object).length > 0;
}

function defineBelow(event: Event, extraBodyFields: Parameters): Parameters {
	const { userID, name, time, ltv, attributes, extra } = event;
	return {
		dataMode: 'defineBelow',
		userID: asText(userID),
		event_name: asText(name),
		attributes: toAssignments(attributes),
		event_time: time,
		additionalFields: {
			...(ltv === undefined ? {} : { ltv }),
			...(isFilled(extra) ? { extraEventFields: toJson(extra, 2) } : {}),
			...extraBodyFields,
		},
	};
}

function mapped(events: Event[], extraBodyFields: Parameters) {
	const attributes = events.map((event) => event.attributes);
	const column = (name: string) => freeColumn(name, attributes);
	const [user, name, time] = [column('userID'), column('event_name'), column('event_time')];
	const [ltv, more] = [column('ltv'), column('more')];
	const items = events.map((event) => ({
		[user]: event.userID,
		[name]: event.name,
		[time]: event.time,
		...(event.ltv === undefined ? {} : { [ltv]: event.ltv }),
		...event.attributes,
		...(isFilled(event.extra) ? { [more]: event.extra } : {}),
	}));
	const hasLtv = events.some((event) => event.ltv !== undefined);
	const hasMore = events.some(({ extra }) => isFilled(extra));
	const parameters: Parameters = {
		dataMode: 'autoMapInputData',
		userIdField: user,
		ignoreFields: [name, time, ltv, more].join(', '),
		event_name: `={{ $json.${name} }}`,
		event_time: `={{ $json.${time} }}`,
		additionalFields: {
			...(hasLtv ? { ltv: `={{ $json.${ltv} }}` } : {}),
			...(hasMore ? { extraEventFields: `={{ $json.${more} }}` } : {}),
			...extraBodyFields,
		},
		options: events.length > usualBatch ? { batchSize: events.length } : {},
	};
	return { code: codeNode('events', 'Events', items), parameters };
}
