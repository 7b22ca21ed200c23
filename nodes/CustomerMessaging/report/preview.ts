import type { Run } from '../run/resolveRun';
import type { Delivery } from '../shared/delivery';
import { Batches } from '../send/batches';
import { pickPart } from '../send/requests';
import type { N8n } from '../n8n/context';
import { decide } from '../schedule/choice';
import type { PreviewResult, RunReport } from '../shared/result';
import { inSlices } from '../shared/slices';
import { previewPage } from './previewPage';
import { findWorst } from './smsHints';

/** How many of the first messages are shown as a page, besides the worst. Each page adds about 8 kB to what n8n stores of the execution. */
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
			const measured = run.operation.measure?.(delivery);
			const schedule = delivery.schedule && decide(delivery.schedule, nowMs);
			const { batch } = request;
			previewed.push({
				kind: 'preview',
				delivery: { ...delivery, schedule },
				url,
				batch,
				body,
				measured,
			});
		}
	});
	const untested = previewed.filter(({ delivery }) => delivery.itemIndex !== testItem);
	const worst = findWorst(untested);
	const results = untested.map((result, index) => {
		if (index >= MAX_PAGES && !worst.has(index)) return result;
		const why = worst.get(index);
		return { ...result, page: previewPage(result, run, why), pageName: nameFile(result, why) };
	});
	return { results, requests, waitedMs: 0, remaining: null };
}

/** `item-1-web-longest-text.html`: the item, its platform, and what is special about it. */
function nameFile({ delivery }: PreviewResult, worst?: string): string {
	const special = worst?.split(', ').map((name) => name.replace(/^the /, '').replaceAll(' ', '-'));
	return `${['item', delivery.itemIndex, delivery.platform, ...(special ?? [])].filter((part) => part !== undefined).join('-')}.html`;
}
