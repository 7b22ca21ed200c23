import { emailChecks } from './rules/email';
import { eventProblems } from './rules/event';
import { pushChecks } from './rules/push';
import type { BodyCheck } from './rules/ruleset';
import { smsChecks } from './rules/sms';
import { userProblems } from './rules/user';
import {
	eventPath,
	isObject,
	platforms,
	type Api,
	type Channel,
	type HostRole,
	type Platform,
} from './terms';

export interface Operation {
	api: Api;
	/** Null for a `sendMessage` without a sender. */
	channel: Channel | null;
	platform?: Platform;
	problems: BodyCheck;
}

export interface Route {
	hosts: HostRole[];
	/** Most paths have one operation. That of `sendMessage` depends on its body. */
	operation: (body: unknown) => Operation;
}

/** Every path of spec §4, and the sandbox's own for the APIs whose paths the spec does not show. */
export class Routes {
	private readonly byPath = new Map<string, Route>();

	/** @param refusedIDs read at each request, so that settings may change */
	constructor(refusedIDs: () => ReadonlySet<string>) {
		this.add('base', '/api/v1/user/create', 'user', (body) => userProblems(body, refusedIDs()));
		// Not a path of the spec, but the node's default.
		this.add('base', eventPath, 'event', (body) => eventProblems(body, refusedIDs()));

		for (const platform of platforms) {
			for (const [rest, problems] of Object.entries(pushChecks(platform))) {
				this.add('push', `/api/v1/${platform}/${rest}`, 'push', problems, platform);
			}
		}

		this.add('mail', '/api/v1/email/broadcast', 'email', emailChecks.broadcast);
		this.add('mail', '/api/v1/email/broadcast/all', 'email', emailChecks.broadcastAll);
		this.add('mail', '/api/v1/email/broadcast/segment', 'email', emailChecks.broadcastSegment);

		// Spec §4.4 writes only this path with a slash at the end.
		this.add('mail', '/api/v1/sms/broadcast/', 'sms', smsChecks.broadcast);
		this.add('mail', '/api/v1/sms/broadcast/all', 'sms', smsChecks.broadcastAll);
		this.add('mail', '/api/v1/sms/broadcast/segment', 'sms', smsChecks.broadcastSegment);

		this.byPath.set('/api/v1/sendMessage', { hosts: ['mail'], operation: toOneUser });
	}

	find(path: string): Route | undefined {
		// As for all other known paths, a slash at the end makes it an unknown path.
		if (path === `${eventPath}/`) return undefined;
		return this.byPath.get(path) ?? conventions.find(({ prefix }) => isUnder(prefix, path))?.route;
	}

	private add(host: HostRole, path: string, api: Api, problems: BodyCheck, platform?: Platform) {
		const operation: Operation = { api, channel: api, platform, problems };
		this.byPath.set(path, { hosts: [host], operation: () => operation });
	}
}

// Spec §4.1 shows neither the paths of these APIs nor their fields.
const conventions = [
	convention('/api/v1/event/', 'event'),
	convention('/api/v1/report/', 'reporting'),
	convention('/api/v1/campaign/', 'campaign'),
];

function convention(prefix: string, api: Api): { prefix: string; route: Route } {
	const operation: Operation = { api, channel: api, problems: () => [] };
	return { prefix, route: { hosts: ['base', 'push', 'mail'], operation: () => operation } };
}

function isUnder(prefix: string, path: string): boolean {
	return path.length > prefix.length && path.startsWith(prefix);
}

const emailToOneUser: Operation = { api: 'email', channel: 'email', problems: emailChecks.send };
const smsToOneUser: Operation = { api: 'sms', channel: 'sms', problems: smsChecks.send };
const neitherNorBoth: Operation = {
	api: 'email',
	channel: null,
	problems: () => [
		{ path: 'sender_email / sender_mobile', rule: 'exactly one of these is required' },
	],
};

function toOneUser(body: unknown): Operation {
	const hasEmail = isObject(body) && Object.hasOwn(body, 'sender_email');
	const hasMobile = isObject(body) && Object.hasOwn(body, 'sender_mobile');
	if (hasEmail === hasMobile) return neitherNorBoth;
	return hasEmail ? emailToOneUser : smsToOneUser;
}
