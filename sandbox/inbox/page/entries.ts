import type { Row } from '../row';

/** One line of the list: a message, or several arrivals that belong together. */
export interface Entry {
	/** The number of its first part. */
	id: number;
	/** At least one. */
	parts: readonly [Row, ...Row[]];
}

/** A campaign that waits for its rate limit takes so long from one platform to the next. */
const campaignMs = 2 * 60_000;

/**
 * Puts together what belongs together: the platforms of one push, and equal checks that follow each other with
 * the same outcome. An entry keeps the place of its first row, so that the list does not jump.
 */
export function groupRows(rows: readonly Row[]): Entry[] {
	const groups: Row[][] = [];
	const campaigns = new Map<string, Row[]>();
	for (const row of rows) {
		const key = row.platform === null ? undefined : campaignKey(row);
		const campaign = key === undefined ? undefined : campaigns.get(key);
		const previous = groups.at(-1);
		if (campaign && isNextPlatform(campaign, row)) campaign.push(row);
		else if (previous?.[0] && isSameCheck(previous[0], row)) previous.push(row);
		else {
			const group = [row];
			groups.push(group);
			if (key !== undefined) campaigns.set(key, group);
		}
	}
	return groups.flatMap(([first, ...others]) =>
		first ? { id: first.seq, parts: [first, ...others] } : [],
	);
}

export const holds = ({ parts }: Entry, seq: number | undefined): boolean =>
	parts.some((part) => part.seq === seq);

function campaignKey({ title, text, audience, to }: Row): string {
	return [audience, to, title, text].join('\n');
}

/** Each platform once: the same one again is another attempt, or the same campaign again. */
function isNextPlatform(campaign: Row[], { platform, time }: Row): boolean {
	return campaign.every(
		(part) => part.platform !== platform && Math.abs(part.time - time) <= campaignMs,
	);
}

function isSameCheck(a: Row, b: Row): boolean {
	return !!a.check && a.check === b.check && a.outcome === b.outcome;
}
