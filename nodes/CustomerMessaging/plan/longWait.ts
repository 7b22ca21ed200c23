import type { Run } from '../run/resolveRun';
import type { Problem } from '../shared/problem';
import { MINUTE_MS } from '../shared/time';

/** How many minutes a run takes at a limit. The places of its first minute are available at once. */
export function minutesAtLimit(requests: number, perMinute: number): number {
	return Math.max(0, Math.ceil(requests / perMinute) - 1);
}

/** What is said about a run that would surely wait for the rate limit longer than it may. */
export function longWait(
	requests: number,
	{ account, target, settings: { maxWaitMs } }: Pick<Run, 'account' | 'target' | 'settings'>,
): Problem | undefined {
	const perMinute = account.limits[target.api];
	// The run may begin at the end of a minute of the service, so one minute less is sure.
	const minutes = minutesAtLimit(requests, perMinute) - 1;
	if (minutes * MINUTE_MS <= maxWaitMs) return undefined;
	return {
		field: 'maxWait',
		message: `${requests} requests at ${perMinute} per minute wait for the rate limit for at least ${minutes} min, but 'Max Wait' allows ${maxWaitMs / MINUTE_MS} min. Raise 'Max Wait' under Options, or send the list in parts with Loop Over Items`,
	};
}
