import type { N8n } from './n8n/context';
import type { Plan } from './plan/plan';
import { toTestMessage } from './plan/testMessage';
import type { Run } from './run/resolveRun';
import type { TestRecipient } from './run/guards';
import { hasFailed, type Result, type RunReport, type SentDelivery } from './shared/result';
import { sendAll } from './sendAll';
import type { Sent } from './engine';

/** Whose message is sent to whom as a test. */
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
export function findTest({ deliveries }: Plan, run: Run, n8n: N8n): Test | undefined {
	const [first] = deliveries;
	const recipient = run.mode.kind === 'test' ? run.mode.recipient : undefined;
	const { context, runIndex } = n8n.memory();
	const { testedIn } = context;
	// With Retry On Fail, an agent's tool gets a new run index, and any other node keeps its own.
	const isTested = testedIn !== undefined && (n8n.isTool || testedIn !== runIndex);
	return first && recipient && !isTested ? { itemIndex: first.itemIndex, recipient } : undefined;
}

/** Sends a test on each platform. Its records are apart from those of real messages; see `reconcile`. */
export async function sendTest(
	test: Test,
	plan: Plan,
	run: Run,
	n8n: N8n,
	sent: Sent<SentDelivery>,
): Promise<RunReport> {
	const { recipient, itemIndex } = test;
	const { context, runIndex } = n8n.memory();
	context.testedIn = runIndex;
	const deliveries = plan.deliveries
		.filter((delivery) => delivery.itemIndex === itemIndex)
		.map((delivery) => toTestMessage(delivery, recipient));
	const testRun = { ...run, operation: recipient.operation };
	const report = await sendAll({ ...plan, deliveries, invalid: [] }, testRun, n8n, sent);
	if (report.results.every(isUndelivered)) delete context.testedIn;
	return report;
}

function isUndelivered(result: Result): boolean {
	return hasFailed(result) && result.ending.kind !== 'unknown';
}
