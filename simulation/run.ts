import { resources } from '../nodes/CustomerMessaging/operations';
import { recipientList } from '../nodes/CustomerMessaging/run/account';
import { readSettings } from '../nodes/CustomerMessaging/run/options';
import type { Run } from '../nodes/CustomerMessaging/run/resolveRun';
import { defaultScheduleFormat } from '../nodes/CustomerMessaging/schedule/format';

const origin = 'https://api.example.com';

/** A run with all settings at their defaults but for some. The APIs of its account are at one address. */
export function makeRun(
	resourceName: string,
	operationName: string,
	{ brandId, secret }: { brandId: string; secret: string },
	settings: Partial<Run['settings']>,
): Run {
	const resource = resources.find(({ value }) => value === resourceName);
	const operation = resource?.operations.find(({ value }) => value === operationName);
	const { target } = resource ?? {};
	const read = readSettings({ options: {} });
	if (!operation || !target || !read.settings) throw new Error('There is no such run');
	return {
		resource: resourceName,
		operation,
		target,
		perMinute: 1_000_000,
		concurrency: settings.concurrency ?? 100,
		origin,
		credential: { id: '1', name: 'test', type: 'customerMessagingApi', data: {} },
		account: {
			hosts: { baseUrl: origin, pushUrl: origin, mailUrl: origin },
			limits: {},
			format: defaultScheduleFormat,
			eventPath: '/api/v1/event/create',
			segmentNames: new Map(),
			testRecipients: recipientList(''),
			brandId,
			secret,
		},
		settings: { ...read.settings, ...settings },
		differing: new Map(),
		history: { isRetry: false, wasInterrupted: false, firstTryMs: 0 },
		mode: { kind: 'send' },
		needsOnceKey: false,
	};
}
