import type { Arrival } from '../arrivals';
import { toJson } from '../json';
import { eventPath, isObject, type HostRole, type JsonObject } from '../terms';
import { eventsWorkflow } from './eventsWorkflow';
import { asParameter, asText, asTyped } from './expression';
import { canHold, findOperation, type Kind, type NodeOperation } from './operations';
import { readSchedule } from './schedule';
import { usersWorkflow } from './usersWorkflow';
import {
	customerMessaging,
	customerMessagingName,
	makeWorkflow,
	type Copy,
	type Parameters,
} from './workflow';

export type Received = Pick<Arrival, 'time' | 'host' | 'path' | 'headers' | 'api' | 'body'>;

/**
 * The node that would send what was received, to be pasted on n8n's canvas. The user selects its
 * credential there. Undefined for a body that no node can send, because it is not an object or a list.
 *
 * @param received with large integers as bigints, so that they are not rounded
 */
export function asWorkflow(received: Received): Copy | undefined {
	const copy = makeCopy(received);
	return copy && withTextsAsTheyAre(copy, received.body);
}

/** A message with such text was sent with this option, so its copy needs it too. */
function withTextsAsTheyAre({ workflow, notes }: Copy, body: unknown): Copy {
	if (!/undefined|NaN|\[object Object\]|\{\{/.test(toJson(body))) return { workflow, notes };
	const nodes = workflow.nodes.map((node) => {
		const { resource, options } = node.parameters;
		if (node.name !== customerMessagingName || resource === 'customRequest') return node;
		const given = isObject(options) ? options : {};
		return {
			...node,
			parameters: { ...node.parameters, options: { ...given, skipTextCheck: true } },
		};
	});
	return { workflow: { ...workflow, nodes }, notes };
}

function makeCopy(received: Received): Copy | undefined {
	const { path, body } = received;
	const account = readAccount(received);
	if (path === '/api/v1/user/create' && isObject(body) && Array.isArray(body.nv)) {
		const copy = usersWorkflow(body, body.nv, account);
		if (copy) return copy;
	}
	if (path === eventPath && isObject(body) && Array.isArray(body.nv)) {
		const copy = eventsWorkflow(body, body.nv, account);
		if (copy) return copy;
	}
	const operation = isObject(body) ? findOperation(path, body) : undefined;
	if (operation && isObject(body)) return messageWorkflow(operation, body, received, account);
	if (typeof body !== 'object' || body === null) return undefined;
	return customWorkflow(received, account);
}

function take(from: Map<string, unknown>, key: string): unknown {
	const value = from.get(key);
	from.delete(key);
	return value;
}

function readAccount({ headers }: Received): Parameters {
	const hasToken = headers.authorization !== undefined && headers['x-api-key'] === undefined;
	return hasToken ? { authentication: 'partnerToken' } : {};
}

function messageWorkflow(
	operation: NodeOperation,
	body: JsonObject,
	received: Received,
	account: Parameters,
): Copy {
	const rest = new Map(Object.entries(body));
	const { resource, platform, required, optional } = operation;
	const parameters: Parameters = { ...account, resource, operation: operation.operation };
	if (platform) parameters.platforms = [platform];

	const recipientBy = operation.recipients.find((key) => rest.has(key));
	if (recipientBy !== undefined) {
		parameters.recipientBy = recipientBy;
		parameters[recipientBy] = asTyped(take(rest, recipientBy));
	}
	// The body holds its sender, which is not the default of every credential.
	if (resource !== 'push') parameters.senderFrom = 'define';
	for (const [key, kind] of Object.entries(required)) {
		const value = take(rest, key);
		if (value !== undefined) parameters[key] = inField(kind, value);
	}
	const { when, notes } = timing(resource, received, rest);
	const additionalFields: Parameters = {};
	for (const [key, kind] of Object.entries(optional)) {
		if (canHold(kind, rest.get(key))) additionalFields[key] = inField(kind, take(rest, key));
	}
	if (rest.size > 0) additionalFields.extraBodyFields = toJson(Object.fromEntries(rest), 2);

	const all = { ...parameters, ...when, additionalFields };
	return { workflow: makeWorkflow([customerMessaging(all)]), notes };
}

/** A value as the parameter of a field of this kind. */
function inField(kind: Kind, value: unknown): Parameters[string] {
	if (kind !== 'segment') return asParameter(value);
	const isNumber = typeof value === 'number' || typeof value === 'bigint';
	return { __rl: true, mode: 'id', value: isNumber ? `${value}` : asTyped(value) };
}

/** Takes the schedule out of a body if the node can write the same one. */
function timing(
	resource: NodeOperation['resource'],
	{ time, body }: Received,
	rest: Map<string, unknown>,
): { when: Parameters; notes: string[] } {
	const schedule = readSchedule(resource, body, time);
	const isCampaign = resource !== 'push';
	const without = (...keys: string[]) => keys.forEach((key) => rest.delete(key));
	// The node itself writes both fields of a campaign, but none of them for an immediate push.
	if (isCampaign) without('schedule_date', 'schedule_time');

	switch (schedule.kind) {
		case 'at':
			without('schedule_date', 'schedule_time', 'time_zone');
			return { when: at(schedule.atMs), notes: [] };
		case 'delay':
			if (schedule.seconds === 0) break;
			without('time');
			return { when: { sendAt: 'delay', time: schedule.seconds }, notes: [] };
		case 'unread':
			if (isCampaign)
				return {
					when: now,
					notes: ['Its schedule is in an unknown format, so the copy sends at once.'],
				};
	}
	return { when: now, notes: [] };
}

const now: Parameters = { sendAt: 'now' };

function at(atMs: number): Parameters {
	const scheduledFor = new Date(atMs).toISOString().slice(0, 19);
	return { sendAt: 'at', scheduledFor, scheduleTimezone: 'UTC' };
}

const nodeHosts: Record<HostRole, string> = {
	any: 'baseUrl',
	base: 'baseUrl',
	push: 'pushUrl',
	mail: 'mailUrl',
};

/** Everything else becomes a custom request. */
function customWorkflow({ host, path, api, body }: Received, account: Parameters): Copy {
	const parameters: Parameters = {
		...account,
		resource: 'customRequest',
		operation: 'post',
		host: nodeHosts[host],
		api: api ?? 'campaign',
		path: asText(path),
		body: toJson(body, 2),
	};
	const notes =
		host === 'any' ? ['All hosts have the same address here, so check the host of the copy.'] : [];
	return { workflow: makeWorkflow([customerMessaging(parameters)]), notes };
}
