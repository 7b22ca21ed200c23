import type { Run } from './run/resolveRun';
import type { Delivery } from './operations/operation';
import { bodyOf, requestMaker } from './delivery/requests';
import type { Result } from './results/result';
import type { RunReport } from './delivery/sendAll';

/** The requests that would be sent; no network. Of a batch, each row shows its own element. */
export function previewAll(deliveries: readonly Delivery[], run: Run, nowMs: number): RunReport {
	const requests = [...requestMaker(run).requests(deliveries)];
	const results = requests.flatMap((request) =>
		request.deliveries.map((delivery): Result => {
			const body = bodyOf({ ...request, deliveries: [delivery] }, run, nowMs);
			const measured = run.operation.measure?.(delivery);
			return { kind: 'preview', delivery, request, body, measured };
		}),
	);
	return { results, requests: requests.length, waitedMs: 0, remaining: null };
}
