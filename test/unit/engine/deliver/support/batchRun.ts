import { accountAt } from '../../../../../simulation/account';
import { resources } from '../../../../../nodes/CustomerMessaging/operations';
import { readSettings, type Settings } from '../../../../../nodes/CustomerMessaging/run/options';
import type { Run } from '../../../../../nodes/CustomerMessaging/run/resolveRun';

const origin = 'https://api.example.com';

/** A run of User > Create, with all settings at their defaults unless given. */
export function batchRun(given: Partial<Settings> = {}, brandId = 'brand'): Run {
	const operation = resources
		.find(({ value }) => value === 'user')
		?.operations.find(({ value }) => value === 'create');
	const read = readSettings({ options: {}, testRuns: undefined, maxBroadcasts: undefined });
	if (!operation || !('settings' in read)) throw new Error('The defaults are not usable');
	return {
		resource: 'user',
		operation,
		target: { host: 'baseUrl', api: 'user' },
		perMinute: 1_000_000,
		origin,
		credential: { id: '1', name: 'test', type: 'customerMessagingApi', data: {} },
		account: accountAt(origin, brandId, 'secret'),
		settings: { ...read.settings, ...given },
		history: { isRetry: false, wasInterrupted: false, firstTryMs: 0 },
		mode: { kind: 'send' },
		needsOnceKey: false,
		repeats: {},
	};
}
