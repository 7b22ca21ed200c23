import { type Account, type Authentication, credentialTypes, readAccount } from './account';
import { leftToModel } from './guards';
import type { Problem } from './problem';
import { resources } from './operations';
import type { Host, Operation, Resource } from './operations/operation';
import type { N8n } from './sending/transport';
import type { Api } from './sending/types';
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
	try {
		const once = (name: string) => n8n.read(name, 0);
		const resource = resources.find(({ value }) => value === once('resource'));
		const operation = resource?.operations.find(({ value }) => value === once('operation'));
		const authentication = once('authentication') ?? 'apiKey';
		if (!resource || !operation || !isAuthentication(authentication)) {
			return unusable('operation', 'This node does not know the chosen operation. Choose it once more');
		}
		const left = leftToModel(operation, (name) => n8n.raw(name));
		if (left.length > 0) return { problems: left };
		const settings = readSettings({
			options: once('options'),
			testRuns: once('testRuns'),
			maxBroadcasts: once('maxBroadcasts'),
		});
		const credentialType = credentialTypes[authentication];
		const account = readAccount(authentication, await n8n.getCredential(credentialType));
		const problems = [settings, account].flatMap((read) => ('problems' in read ? read.problems : []));
		if (!('settings' in settings) || !('account' in account)) return { problems };

		const target = resource.target ?? { host: once('host') as Host, api: once('api') as Api };
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
		return unusable('credential', error instanceof Error ? error.message : String(error));
	}
}

function isAuthentication(value: unknown): value is Authentication {
	return typeof value === 'string' && Object.keys(credentialTypes).includes(value);
}

function unusable(field: string, message: string): { problems: Problem[] } {
	return { problems: [{ field, message }] };
}
