import { saying } from '../../support/saying';

/** What is read for an instant. */
export const at = (utc: string, zone = 'UTC', hint?: string) => ({
	schedule: { kind: 'at', instantMs: Date.parse(utc), zone, hint },
});

export const refusal = (message: string, field = 'scheduledFor') => ({
	problems: [saying(message, field)],
});

/** The hint about a local time, with its seconds, that clocks show with two offsets. */
export function twice(zone: string, local: string, earlier: string, later: string): string {
	const [date = '', clock = ''] = local.split('T');
	return `${clock.replace(/:00$/, '')} on ${date} comes twice in ${zone}, because clocks go back. The earlier one counts, ${local}.000${earlier}. For the later one, give ${local}.000${later} as its date and time`;
}

/** The refusal of a local time that clocks skip. */
export function skipped(zone: string, local: string, change: [string, string], choice: string) {
	const [date, clock] = local.split('T');
	return `${clock} on ${date} does not exist in ${zone}: clocks go from ${change.join(' to ')}. Choose ${choice}`;
}
