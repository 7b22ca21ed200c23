import type { INodeParameters } from 'n8n-workflow';

import type { Order } from '../support/engine';
import { full } from '../support/endpoints';
import { observed, pathsIn, schemaOf } from '../support/outputSchema';
import { keyCredential, run, useSandbox } from '../support/service';
import { useNewStore } from '../support/memoryStore';

const sandbox = useSandbox();

/** What only faults and retries bring about. Other tests of this folder compare it with the schema too. */
const seldom =
	/\.(responseTruncated|sentBefore|differs|notification_id|details\.notification_id|emptyPlaceholders.*|rateLimitRemaining|retryAt|code|message|reason|limit|text|approved|respondedAt|data|campaign_id|subscription_id|mobile|user_id|details\.request.*|details\.schedule.*|details\.test.*|details\.response)$/;

const recipient = {
	testRecipient: true,
	testUserId: 'me-1',
	testEmail: 'me@example.com',
	testMobile: '+4915112345678',
};

/** Runs an operation so that its items are accepted, skipped, previewed, tested, refused and not valid. */
async function runAllWays(parameters: INodeParameters): Promise<void> {
	const { sendOnce, sendAt, ...plain } = parameters;
	const twice = { ...plain, sendOnce: true, sendOnceKey: 'one' };
	const later = { sendAt: 'at', scheduledFor: '2099-07-01T09:30' };
	const go = async (more: INodeParameters, rest: Partial<Order> = {}) => {
		// Without Send Once, other executions are not to count.
		if (!more.sendOnce) useNewStore();
		return await run(
			sandbox(),
			{ ...plain, ...later, maxBroadcasts: 9, ...more },
			{
				onError: 'continueRegularOutput',
				credential: { ...keyCredential(sandbox()), ...recipient },
				...rest,
			},
		);
	};
	await go({ options: { includeRequest: true } });
	await go({}, { rows: [{}, {}] });
	await go(twice);
	await go(twice);
	await go({ options: { previewOnly: true } });
	await go({ testRuns: 'testRecipient' }, { mode: 'manual' });
	await go({ options: { concurrency: 'x' } });
	sandbox().faults.add({ kind: 'status', status: 400, first: 1 });
	await go({});
}

describe('The output of every operation fits its schema, and has all of its properties', () => {
	const operations = new Map(
		full.map(({ parameters }) => {
			const { resource, operation } = parameters as { resource: string; operation: string };
			return [`${resource} ${operation}`, parameters];
		}),
	);
	it.each([...operations])('%s', async (name, parameters) => {
		observed.paths.clear();
		await runAllWays(parameters);
		const schema = schemaOf(...(name.split(' ') as [string, string]));
		const declared = schema ? pathsIn(schema, name) : [];
		expect(declared.filter((one) => !observed.paths.has(one) && !seldom.test(one))).toEqual([]);
		expect(observed.paths.size).toBeGreaterThan(20);
	});
});
