import { z } from 'zod';

import { type Account, type Authentication, credentialTypes, readAccount } from './account';
import { problemsOf } from './fields/field';
import { leftToModel } from './guards';
import type { Problem } from './problem';
import { resources } from './operations';
import type { Operation, Resource } from './operations/operation';
import type { N8n } from './sending/transport';
import { readSettings, type Settings } from './settings';

/** What holds for all rows of a run. */
export interface Run {
	resource: string;
	operation: Operation;
	target: NonNullable<Resource['target']>;
	/** Where its requests go: scheme, host and port. */
	origin: string;
	credentialType: string;
	account: Account;
	settings: Settings;
	/** Whether it only shows what it would send. */
	isPreview: boolean;
	/** Whether it does so because a broadcast was started by hand. */
	isTestRun: boolean;
}

/** Reads what holds for all rows, or says what keeps every one of them from being sent. */
export async function openRun(n8n: N8n): Promise<Run | { problems: Problem[] }> {
	let reading = 'resource';
	const once = (name: string) => n8n.read((reading = name), 0);
	try {
		const resource = resources.find(({ value }) => value === once('resource'));
		const operation = resource?.operations.find(({ value }) => value === once('operation'));
		const authentication = once('authentication') ?? 'apiKey';
		if (!resource || !operation || !isAuthentication(authentication)) {
			return unusable('operation', 'Resource, Operation or Authentication is not known. Choose them once more');
		}
		const left = leftToModel(operation, (name) => n8n.raw(name));
		if (left.length > 0) return { problems: left };
		const settings = readSettings({
			options: once('options'),
			testRuns: once('testRuns'),
			maxBroadcasts: once('maxBroadcasts'),
		});
		const target = targetOf(resource, once);
		const credentialType = credentialTypes[authentication];
		reading = 'credential';
		const account = readAccount(authentication, await n8n.getCredential(credentialType));
		const problems = [settings, account, target].flatMap((read) => ('problems' in read ? read.problems : []));
		if (!('settings' in settings) || !('account' in account) || !('host' in target)) return { problems };

		const isTestRun =
			operation.isBroadcast === true && n8n.isManual && settings.settings.testRuns === 'preview';
		return {
			resource: resource.value,
			operation,
			target,
			origin: account.account.hosts[target.host],
			credentialType,
			account: account.account,
			settings: settings.settings,
			isPreview: isTestRun || settings.settings.previewOnly,
			isTestRun,
		};
	} catch (error) {
		return unusable(reading, error instanceof Error ? error.message : String(error));
	}
}

/** Where a custom request goes and counts, as the user chose it; of the others it is known. */
function targetOf({ target }: Resource, once: (name: string) => unknown) {
	if (target) return target;
	const read = chosenTarget.safeParse({ host: once('host'), api: once('api') });
	return read.data ?? { problems: problemsOf(read.error?.issues ?? []) };
}

const chosenTarget = z.object({
	host: z.enum(['baseUrl', 'pushUrl', 'mailUrl'], { message: 'Host is not known. Choose it once more' }),
	api: z.enum(['user', 'event', 'campaign', 'reporting', 'push', 'email', 'sms'], {
		message: 'API is not known. Choose it once more',
	}),
});

function isAuthentication(value: unknown): value is Authentication {
	return typeof value === 'string' && Object.keys(credentialTypes).includes(value);
}

function unusable(field: string, message: string): { problems: Problem[] } {
	return { problems: [{ field, message }] };
}
