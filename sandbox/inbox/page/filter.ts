import type { Outcome } from '../../arrivals';
import type { Channel, Platform } from '../../terms';
import type { Audience, Row } from '../row';

/** What the list is narrowed down to; an empty text lets everything through. */
export interface Filter {
	channel: Channel | '';
	platform: Platform | '';
	audience: Audience | '';
	outcome: Outcome | 'fault' | '';
	query: string;
}

export const noFilter: Filter = { channel: '', platform: '', audience: '', outcome: '', query: '' };

export function isFiltering(filter: Filter): boolean {
	return Object.values(filter).some((value) => value !== '');
}

/** Whether each word of the query is found, and all that is chosen is met. */
export function matching({
	channel,
	platform,
	audience,
	outcome,
	query,
}: Filter): (row: Row) => boolean {
	const words = query.toLowerCase().split(/\s+/).filter(Boolean);
	return (row) =>
		(channel === '' || row.channel === channel) &&
		(platform === '' || row.platform === platform) &&
		(audience === '' || row.audience === audience) &&
		(outcome === '' ||
			row.outcome === outcome ||
			(outcome === 'fault' && row.outcome.startsWith('fault:'))) &&
		words.every((word) => row.search.includes(word));
}

/** What is yet to go out or went out by a schedule, earliest first; what cannot be read comes last. */
export function scheduled(rows: readonly Row[]): Row[] {
	const instant = ({ schedule }: Row) => ('atMs' in schedule ? schedule.atMs : Infinity);
	return rows
		.filter(({ accepted, schedule }) => accepted && schedule.kind !== 'now')
		.sort((a, b) => (instant(a) === instant(b) ? a.seq - b.seq : instant(a) - instant(b)));
}
