import { OnlyRecipients } from '../../../../../nodes/CustomerMessaging/run/onlyRecipients';
import { resources } from '../../../../../nodes/CustomerMessaging/operations';
import { readSettings, type Settings } from '../../../../../nodes/CustomerMessaging/run/options';
import type { Run } from '../../../../../nodes/CustomerMessaging/run/resolveRun';
import { defaultScheduleFormat } from '../../../../../nodes/CustomerMessaging/schedule/format';

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
		account: {
			hosts: { baseUrl: origin, pushUrl: origin, mailUrl: origin },
			limits: {},
			format: defaultScheduleFormat,
			eventPath: '/api/v1/event/create',
			webBroadcastPath: '/api/v1/web/broadcast/all',
			segmentNames: new Map(),
			testRecipients: new OnlyRecipients(''),
			brandId,
			secret: 'secret',
		},
		settings: { ...read.settings, ...given },
		history: { isRetry: false, wasInterrupted: false, firstTryMs: 0 },
		mode: { kind: 'send' },
		needsOnceKey: false,
		repeats: {},
	};
}
