import { Batches } from '../engine';
import type { N8n } from '../n8n/context';
import { policyFor } from '../run/policy';
import type { Run } from '../run/resolveRun';
import { decideWritten } from '../schedule/format';
import { pickPart, wireFor } from '../run/wire';
import type { Delivery } from '../shared/delivery';
import type { PreviewResult, RunReport } from '../shared/result';
import { inSlices } from '../shared/slices';
import { messagePage } from './messagePage';

/** How many of the first messages have a page, besides the worst. n8n stores about 8 kB of each. */
const MAX_PAGES = 10;

/**
 * Builds the requests that would be sent, without sending any. Each row of a batch shows its own element.
 *
 * @param testItem the item whose message is sent as a test, and therefore not shown
 */
export async function previewAll(
	deliveries: readonly Delivery[],
	run: Run,
	n8n: N8n,
	testItem?: number,
): Promise<RunReport> {
	const nowMs = n8n.now();
	const previewed: PreviewResult[] = [];
	let requests = 0;
	const batches = new Batches(wireFor(run, n8n), policyFor(run));
	await inSlices(batches.requests(deliveries), { clock: n8n.clock }, (request) => {
		requests++;
		for (const delivery of request.messages) {
			const { url, body } = pickPart(delivery, run, nowMs);
			const schedule =
				delivery.schedule &&
				decideWritten(delivery.schedule, run.operation.schedule, run.account.format, nowMs);
			const measured = run.operation.measure?.(delivery);
			const decided = { ...delivery, schedule };
			const { batch } = request;
			previewed.push({ kind: 'preview', delivery: decided, url, batch, body, measured });
		}
	});
	const untested = previewed.filter(({ delivery }) => delivery.itemIndex !== testItem);
	const worst = findWorst(untested);
	const results = untested.map((result, index) =>
		index < MAX_PAGES || worst.has(index)
			? { ...result, page: previewPage(result, run, worst.get(index)) }
			: result,
	);
	return { results, requests, waitedMs: 0, remaining: null };
}

/** By each of these, one message of many is the one to look at. */
const measures: Readonly<Record<string, (result: PreviewResult) => number>> = {
	'the longest text': ({ measured }) =>
		Object.values(measured?.characters ?? {}).reduce((sum, { count = Infinity }) => sum + count, 0),
	'the most parts': ({ measured }) => measured?.sms?.parts ?? 0,
};

/** Why messages are worth a look although many precede them, by their index. Of equal ones, none is. */
function findWorst(results: readonly PreviewResult[]): ReadonlyMap<number, string[]> {
	const found = new Map<number, string[]>();
	for (const [name, measure] of Object.entries(measures)) {
		const values = results.map(measure);
		const worst = values.reduce((most, value) => Math.max(most, value), 0);
		if (values.every((value) => value === worst)) continue;
		const index = values.indexOf(worst);
		found.set(index, [...(found.get(index) ?? []), name]);
	}
	return found;
}

/** Shows a message before it is sent. Undefined if the operation sends no message. */
export function previewPage(
	result: PreviewResult,
	run: Pick<Run, 'resource' | 'operation'>,
	worst?: string[],
): string | undefined {
	const badges = ['Preview', ...(worst ? [`Of all messages: ${worst.join(', ')}`] : [])];
	return messagePage(result, run, { title: 'Preview', badges });
}
