import { toTestMessage } from './plan/testMessage';
import type { TestRecipient } from './run/guards';
import { hasFailed, type Result, type RunReport } from './shared/result';
import { type Ready, sendAll } from './sendAll';

/** The item whose message is sent as a test, and its recipient. */
interface Test {
	itemIndex: number;
	recipient: TestRecipient;
}

/**
 * The message of the first item is tested once in an execution. Otherwise 500 rounds of a loop or calls by an
 * agent would send 500 tests.
 *
 * @returns undefined if nothing is to be tested
 */
export function findTest({ plan, run, n8n }: Ready): Test | undefined {
	const [first] = plan.deliveries;
	const recipient = run.mode.kind === 'test' ? run.mode.recipient : undefined;
	const { context, runIndex } = n8n.memory();
	const { testedIn } = context;
	// With Retry On Fail, an agent's tool gets a new run index, and any other node keeps its own.
	const isTested = testedIn !== undefined && (n8n.isTool || testedIn !== runIndex);
	return first && recipient && !isTested ? { itemIndex: first.itemIndex, recipient } : undefined;
}

/** Sends a test on each platform. Its records are apart from those of real messages; see `reconcile`. */
export async function sendTest(test: Test, ready: Ready): Promise<RunReport> {
	const { recipient, itemIndex } = test;
	const { plan, run, n8n } = ready;
	const { context, runIndex } = n8n.memory();
	context.testedIn = runIndex;
	const deliveries = plan.deliveries
		.filter((delivery) => delivery.itemIndex === itemIndex)
		.map((delivery) => toTestMessage(delivery, recipient));
	const report = await sendAll({
		...ready,
		plan: { ...plan, deliveries, invalid: [] },
		run: { ...run, operation: recipient.operation },
	});
	if (report.results.every(isUndelivered)) delete context.testedIn;
	return report;
}

function isUndelivered(result: Result): boolean {
	return hasFailed(result) && result.ending.kind !== 'unknown';
}
