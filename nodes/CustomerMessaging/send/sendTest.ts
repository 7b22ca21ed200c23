import type { N8n } from '../n8n/context';
import type { Plan } from '../plan/plan';
import { toTestMessage } from '../plan/testMessage';
import type { Run } from '../run/resolveRun';
import { hasFailed, type Result, type RunReport } from '../shared/result';
import { sendAll } from './sendAll';
import type { SentRecords } from '../journal/reconcile';

/** What n8n stores between the runs of the node in one execution. */
interface TestMemory {
	/** The run of the node that sent the execution's test. */
	testedIn?: number;
}

/**
 * Sends the message of the first item to the test recipient: once in an execution, on each platform.
 * Otherwise 500 rounds of a loop or calls by an agent would send 500 tests. The records of tests are
 * apart from those of real messages; see `reconcile`.
 *
 * @returns undefined if nothing is to be tested
 */
export async function sendTest(
	plan: Plan,
	run: Run,
	n8n: N8n,
	records: SentRecords,
): Promise<RunReport | undefined> {
	const { testRecipient } = run;
	const [first] = plan.deliveries;
	if (!testRecipient || !first) return undefined;
	const { context, runIndex } = n8n.memory();
	const memory: TestMemory = context;
	// With Retry On Fail, an agent's tool gets a new run index, and any other node keeps its own.
	if (memory.testedIn !== undefined && (n8n.isTool || memory.testedIn !== runIndex))
		return undefined;

	memory.testedIn = runIndex;
	const deliveries = plan.deliveries
		.filter(({ itemIndex }) => itemIndex === first.itemIndex)
		.map((delivery) => toTestMessage(delivery, testRecipient, run.settings.extraFieldsInTests));
	const testRun = { ...run, operation: testRecipient.operation };
	const report = await sendAll({ ...plan, deliveries, invalid: [] }, testRun, n8n, records);
	if (report.results.every(isUndelivered)) delete memory.testedIn;
	return report;
}

function isUndelivered(result: Result): boolean {
	return hasFailed(result) && result.kind === 'sent' && result.outcome.outcome !== 'unknown';
}
