import { hasFailed, type Result, type RunReport } from '../shared/result';

/** What the messages of a run with one key of Send Once say. */
interface Contents {
	first: string;
	/** Whether another message says something else. */
	areMixed: boolean;
	/** What the message that was sent says. */
	sent?: string;
}

/**
 * Marks messages that Send Once skipped although they say something else than the one that was sent with
 * the same key. If all of them were skipped, it is not known which one was sent, so each is marked.
 */
export function markDiffering(report: RunReport): RunReport {
	if (!report.results.some(({ kind }) => kind === 'skipped')) return report;
	const byKey = groupContents(report.results);
	const results = report.results.map((result): Result => {
		if (result.kind !== 'skipped') return result;
		const { onceKey = '', onceContent } = result.delivery;
		const contents = byKey.get(onceKey);
		const differs = contents?.areMixed === true && contents.sent !== onceContent;
		return differs ? { ...result, differs } : result;
	});
	return { ...report, results };
}

function groupContents(results: readonly Result[]): Map<string, Contents> {
	const byKey = new Map<string, Contents>();
	for (const result of results) {
		if (result.kind !== 'sent' && result.kind !== 'skipped') continue;
		const { onceKey, onceContent } = result.delivery;
		if (onceKey === undefined || onceContent === undefined) continue;
		const contents = byKey.get(onceKey) ?? { first: onceContent, areMixed: false };
		contents.areMixed ||= contents.first !== onceContent;
		if (wasDelivered(result)) contents.sent = onceContent;
		byKey.set(onceKey, contents);
	}
	return byKey;
}

function wasDelivered(result: Result): boolean {
	return result.kind === 'sent' && (!hasFailed(result) || result.outcome.outcome === 'unknown');
}
