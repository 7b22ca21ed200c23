import type { N8n } from '../n8n/context';
import { smsParts } from '../operations/smsParts';
import type { Run } from '../run/resolveRun';
import type { Delivery } from '../shared/delivery';
import { count, grouped } from '../shared/formatting';
import { html, type Html } from '../shared/html';
import type { Result, SentResult } from '../shared/result';
import { inSlices } from '../shared/slices';
import { textOf } from './contentHints';
import { pickAccepted } from './names';
import { type Fact, factList, formatInZones, messagePage } from './messagePage';
import { countOutcomes } from './summary';

/** Of more broadcasts, only the first have a receipt. n8n stores about 8 kB of each. */
const MAX_RECEIPTS = 10;

/**
 * Gives a receipt to each broadcast that this run sent, and to the first message of a list: a page to forward
 * that shows the message and says how the run ended.
 *
 * @param itemCount of the input; a single message to one person needs no receipt
 */
export async function withReceipts(
	results: readonly Result[],
	run: Run,
	n8n: N8n,
	itemCount: number,
): Promise<readonly Result[]> {
	if (!run.operation.isMessage || run.operation.waits || n8n.isTool) return results;
	const sent = pickAccepted(results).filter(isOfThisRun);
	const shown = sent
		.filter(({ delivery }, index) => isBroadcast(delivery) || (index === 0 && itemCount > 1))
		.slice(0, MAX_RECEIPTS);
	if (shown.length === 0) return results;

	const zones = [n8n.workflowZone, run.account.format.scheduleZone];
	const ended = formatInZones(n8n.now(), zones);
	const parts = await countParts(sent, run, n8n);
	const above = describeRun(results, [
		{ name: 'Parts in all', text: parts },
		{ name: 'End of the run', text: ended },
		{ name: 'Execution in n8n', text: n8n.execution.id },
	]);
	const pages = new Map<Result, string | undefined>();
	for (const result of shown) {
		const { schedule } = result.delivery;
		const delivery = { ...result.delivery, schedule: result.scheduled ?? schedule };
		const badges = ['Receipt'];
		const frame = { title: 'Receipt', badges, above, zones };
		pages.set(result, messagePage({ delivery, body: delivery.buildBody() }, run, frame));
	}
	return results.map((result) =>
		pages.has(result) ? { ...result, page: pages.get(result) } : result,
	);
}

type SentNow = SentResult<Delivery>;

/** What an earlier attempt sent may have had other texts, and a test is not the message. */
function isOfThisRun(result: SentResult): result is SentNow {
	const { delivery, sentBefore } = result;
	return !sentBefore && !delivery.test && delivery.buildBody !== undefined;
}

const isBroadcast = ({ audience }: Delivery) => audience !== undefined;

/** How the run ended. It claims no more than the service's answers say. */
function describeRun(results: readonly Result[], more: readonly Fact[]): Html {
	return html`<div class="sheet">
		${factList([...countOutcomes(results), ...more])}
		<p class="note">
			Accepted means that the service took the message, not that it arrived. This page counts one
			run of the node, and a push once for each platform.
		</p>
	</div>`;
}

/** The parts of all messages to single people; empty if they have none, or one is too long to count. */
async function countParts(
	sent: readonly SentNow[],
	{ operation: { inParts } }: Run,
	{ clock }: N8n,
): Promise<string> {
	const toPeople = sent.filter(({ delivery }) => !isBroadcast(delivery));
	if (inParts === undefined || toPeople.length === 0) return '';
	let parts = 0;
	await inSlices(toPeople, { clock }, ({ delivery }) => {
		parts += smsParts(textOf(delivery, inParts))?.parts ?? NaN;
	});
	return Number.isNaN(parts) ? '' : `${grouped(parts)} for ${count(toPeople.length, 'message')}`;
}
