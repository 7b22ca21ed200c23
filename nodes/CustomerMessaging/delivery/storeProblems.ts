import type { N8n } from '../n8n/context';
import type { StoreAccess } from '../n8n/openStore';
import type { Run, UnusableRun } from '../run/resolveRun';
import type { Problem } from '../shared/problem';

export function unknownToOnce(access: Unavailable): Problem {
	const reason = 'failure' in access ? access.failure : 'this n8n has no store for it';
	const message = `Send Once is on, but n8n cannot read what was sent before: ${reason}. Check n8n's database, or turn off Send Once`;
	return { field: 'sendOnce', message };
}

export function unknownToRetry(
	access: Unavailable,
	{ history }: Run | UnusableRun,
	n8n: N8n,
): Problem | undefined {
	if (!('failure' in access) || history.establishedAtMs === undefined) return undefined;
	if (history.isRetry) return unreadable(access.failure);
	logUnrecorded(n8n, access.failure);
	return undefined;
}

type Unavailable = Exclude<StoreAccess, { store: unknown }>;

export function logUnrecorded(n8n: N8n, failure: string): void {
	n8n.log(`Cannot store what is sent, so a retry after an interruption cannot know it: ${failure}`);
}

export function unreadable(reason: string): Problem {
	return {
		field: 'execution',
		message: `n8n cannot read what other attempts of this execution sent: ${reason}. Check n8n's database, then retry the execution`,
	};
}
