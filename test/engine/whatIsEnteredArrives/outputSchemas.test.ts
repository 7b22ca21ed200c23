import type { INodeParameters } from 'n8n-workflow';

import type { Order } from '../support/engine';
import { full } from '../support/endpoints';
import { useNewStore } from '../support/memoryStore';
import { observed, pathsIn, schemaOf } from '../support/outputSchema';
import { keyCredential, run, useSandbox } from '../support/service';

const sandbox = useSandbox();

/** What only faults and retries bring about. Other tests of this folder compare it with the schema too. */
const seldom =
	/\.(responseTruncated|sentBefore|differs|notification_id|details\.notification_id|emptyPlaceholders.*|rateLimitRemaining|retryAt|code|message|reason|limit|text|approved|respondedAt|data|campaign_id|subscription_id|mobile|user_id|details\.request.*|details\.schedule.*|details\.test.*|details\.response)$/;

const recipient = { testUserId: 'me-1', testEmail: 'me@example.com', testMobile: '+4915112345678' };
const later = { sendAt: 'at', scheduledFor: '2099-07-01T09:30', maxBroadcasts: 9 };
const once = { sendOnce: true, sendOnceKey: 'one' };

const operations = new Map(
	full.map(({ parameters }) => {
		const { resource, operation } = parameters as { resource: string; operation: string };
		return [`${resource} ${operation}`, { resource, operation, parameters }];
	}),
);

it.each([...operations])(
	'The output of %s fits its schema, and has all of its properties',
	async (name, { resource, operation, parameters }) => {
		const go = async (more: INodeParameters, rest: Partial<Order> = {}) => {
			// Without Send Once, other executions are not to count.
			if (!more.sendOnce) useNewStore();
			const account = { ...keyCredential(sandbox()), testRecipient: true, ...recipient };
			const order = { onError: 'continueRegularOutput', credential: account, ...rest } as const;
			return await run(sandbox(), { ...parameters, ...later, ...more }, order);
		};
		observed.paths.clear();
		// Accepted, skipped, previewed, tested, not valid and refused.
		await go({ options: { includeRequest: true } });
		// The second of two broadcasts waits for a second.
		if (!operation.startsWith('broadcast')) await go({}, { rows: [{}, {}] });
		await go(once);
		await go(once);
		await go({ options: { previewOnly: true } });
		await go({ testRuns: 'testRecipient' }, { mode: 'manual' });
		await go({ options: { concurrency: 'x' } });
		sandbox().faults.add({ kind: 'status', status: 400, first: 1 });
		await go({});

		const schema = schemaOf(resource, operation);
		const declared = schema ? pathsIn(schema, name) : [];
		expect(declared.filter((one) => !observed.paths.has(one) && !seldom.test(one))).toEqual([]);
		expect(observed.paths.size).toBeGreaterThan(20);
	},
);
