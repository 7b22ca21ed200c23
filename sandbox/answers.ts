import type { Verdict } from './arrivals';
import type { Fault } from './faults';
import type { Problem } from './terms';

const statuses: Record<Verdict, number> = {
	accepted: 200,
	rejected: 400,
	unauthorized: 401,
	notFound: 404,
	tooLarge: 413,
	rateLimited: 429,
};

/**
 * @param instead the fault that replaces the service's own response
 * @returns null if there is no response at all
 */
export function chooseStatus(verdict: Verdict, instead: Fault | undefined): number | null {
	switch (instead?.kind) {
		case undefined:
			return statuses[verdict];
		case 'status':
		case 'statusAfterAccept':
			return instead.status;
		case 'html':
		case 'saysFailed':
			return 200;
		case 'redirect':
			return 308;
		default:
			return null;
	}
}

export function chooseContentType(instead: Fault | undefined): string {
	return instead?.kind === 'html' ? 'text/html; charset=utf-8' : 'application/json';
}

/** Where a redirect leads; undefined for anything else. */
export function chooseLocation(path: string, instead: Fault | undefined): string | undefined {
	if (instead?.kind !== 'redirect') return undefined;
	return instead.to ?? (path.endsWith('/') ? path.slice(0, -1) : `${path}/`);
}

// Spec §4 and §7: bodies of responses are not shown, so these shapes are the sandbox's own.
export function writeBody(
	verdict: Verdict,
	{ seq, problems }: { seq: number; problems: Problem[] },
	instead: Fault | undefined,
): string {
	if (instead?.kind === 'html') {
		return '<!doctype html><title>Sandbox</title><h1>A page in place of an answer</h1>';
	}
	if (instead?.kind === 'saysFailed')
		return instead.body ?? '{"success":false,"message":"Caused by a fault of the sandbox"}';
	if (instead) return '{"error":"Caused by a fault of the sandbox"}';

	switch (verdict) {
		case 'accepted':
			return `{"status":"ok","id":"${seq}"}`;
		case 'rejected':
			return JSON.stringify({ error: 'Invalid resource', problems });
		case 'unauthorized':
			return '{"error":"Invalid authentication"}';
		case 'notFound':
			return '{"error":"Invalid URL"}';
		case 'tooLarge':
			return '{"error":"Body too large"}';
		case 'rateLimited':
			return '{"error":"Rate limit exceeded"}';
	}
}
