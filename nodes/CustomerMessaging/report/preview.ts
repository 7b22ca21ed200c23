import { Batches } from '../engine';
import type { N8n } from '../n8n/context';
import type { Run } from '../run/resolveRun';
import { decideWritten } from '../schedule/format';
import { pickPart, policyFor, wireFor } from '../run/wire';
import type { Delivery } from '../shared/delivery';
import type { RunReport, UnsentResult } from '../shared/ending';
import { inSlices } from '../shared/slices';
import { messagePage } from './messagePage';

/** Only the first messages have a page, because n8n stores each page with the execution. */
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
	const previewed: Array<UnsentResult<'preview', Delivery>> = [];
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
			const ending = { kind: 'preview', values: { url, body, measured } } as const;
			previewed.push({ delivery: decided, ending, batch });
		}
	});
	const results = previewed
		.filter(({ delivery }) => delivery.itemIndex !== testItem)
		.map((result, index) => {
			const { delivery, ending } = result;
			const { values } = ending;
			const page = index < MAX_PAGES ? messagePage(delivery, values.body, run) : undefined;
			return { ...result, ending: { ...ending, values: { ...values, page } } };
		});
	return { results, requests };
}
