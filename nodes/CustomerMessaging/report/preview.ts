import type { Run } from '../run/resolveRun';
import type { Delivery } from '../shared/delivery';
import { Batches } from '../delivery/batches';
import { partOf } from '../delivery/requests';
import type { PreviewResult, RunReport } from '../shared/result';

/** Builds the requests that would be sent, without sending any. Each row of a batch shows its own element. */
export function previewAll(deliveries: readonly Delivery[], run: Run, nowMs: number): RunReport {
	const requests = [...new Batches(run).all(deliveries)];
	const results = requests.flatMap((request) =>
		request.deliveries.map((delivery): PreviewResult => {
			const { url, body } = partOf(request, delivery, run, nowMs);
			const measured = run.operation.measure?.(delivery);
			const { batch } = request;
			return { kind: 'preview', delivery, url, batch, body, measured };
		}),
	);
	return { results, requests: requests.length, waitedMs: 0, remaining: null };
}
