import type { Run } from '../run/resolveRun';
import type { Delivery } from '../shared/delivery';
import { Batches } from '../send/batches';
import { pickPart } from '../send/requests';
import type { N8n } from '../n8n/context';
import { decide } from '../schedule/choice';
import type { PreviewResult, RunReport } from '../shared/result';
import { inSlices } from '../shared/slices';
import { previewPage } from './previewPage';

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
	await inSlices(new Batches(run).requests(deliveries), { clock: n8n.clock }, (request) => {
		requests++;
		for (const delivery of request.deliveries) {
			const { url, body } = pickPart(request, delivery, run, nowMs);
			const schedule = delivery.schedule && decide(delivery.schedule, nowMs);
			previewed.push({
				kind: 'preview',
				delivery: { ...delivery, schedule },
				url,
				batch: request.batch,
				body,
				measured: run.operation.measure?.(delivery),
			});
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
const measures: ReadonlyArray<{ name: string; of: (result: PreviewResult) => number }> = [
	{
		name: 'the longest text',
		of: ({ measured }) =>
			Object.values(measured?.characters ?? {}).reduce((sum, { count }) => sum + count, 0),
	},
	{ name: 'the most empty placeholders', of: ({ delivery }) => delivery.gaps?.length ?? 0 },
	{ name: 'the most parts', of: ({ measured }) => measured?.sms?.parts ?? 0 },
];

/** Why messages are worth a look although many precede them, by their index. Of equal ones, none is. */
function findWorst(results: readonly PreviewResult[]): ReadonlyMap<number, string> {
	const found = new Map<number, string>();
	for (const { name, of } of measures) {
		const values = results.map(of);
		const worst = values.reduce((most, value) => Math.max(most, value), 0);
		if (values.every((value) => value === worst)) continue;
		const index = values.indexOf(worst);
		const others = found.get(index);
		found.set(index, others === undefined ? name : `${others}, ${name}`);
	}
	return found;
}
