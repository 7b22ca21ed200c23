import type { Outcome } from '../../arrivals';
import type { Channel, Platform } from '../../terms';
import type { Audience, Row } from '../row';

/** The filter of the list. An empty text matches everything. */
export interface Filter {
	channel: Channel | '';
	platform: Platform | '';
	audience: Audience | '';
	outcome: Outcome | 'fault' | '';
	/** Empty to hide the requests by which n8n asks whether the service is back. */
	checks: 'shown' | '';
	query: string;
}

export const noFilter: Filter = {
	channel: '',
	platform: '',
	audience: '',
	outcome: '',
	checks: '',
	query: '',
};

export function isFiltering(filter: Filter): boolean {
	return Object.values(filter).some((value) => value !== '');
}

/** Whether a row contains every word of the query and matches every selected filter. */
export function matching({
	channel,
	platform,
	audience,
	outcome,
	checks,
	query,
}: Filter): (row: Row) => boolean {
	const words = query.toLowerCase().split(/\s+/).filter(Boolean);
	return (row) =>
		(checks === 'shown' || row.check !== 'service') &&
		(channel === '' || row.channel === channel) &&
		(platform === '' || row.platform === platform) &&
		(audience === '' || row.audience === audience) &&
		(outcome === '' ||
			row.outcome === outcome ||
			(outcome === 'fault' && row.outcome.startsWith('fault:'))) &&
		words.every((word) => row.search.includes(word));
}

/** Scheduled messages, earliest first. Those with unreadable schedules come last. */
export function scheduled(rows: readonly Row[]): Row[] {
	const instant = ({ schedule }: Row) => ('atMs' in schedule ? schedule.atMs : Infinity);
	return rows
		.filter(({ accepted, schedule }) => accepted && schedule.kind !== 'now')
		.sort((a, b) => (instant(a) === instant(b) ? a.seq - b.seq : instant(a) - instant(b)));
}
