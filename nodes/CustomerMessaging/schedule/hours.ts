import type { Schedule } from '../shared/delivery';
import { MINUTE_MS } from '../shared/time';
import { twiceHint } from './formatting';
import { offsetMs, resolveLocal } from './localTime';

const dayMs = 24 * 60 * MINUTE_MS;

/** The hours of a day, which may span midnight, as clocks in a zone show them. */
type Hours = Extract<Schedule, { kind: 'within' }>;

/** A schedule whose time is certain. */
export type Decided = Exclude<Schedule, Hours>;

/** Decides whether a message that leaves now is sent at once or when its hours begin. */
export function decide(schedule: Schedule, nowMs: number): Decided {
	if (schedule.kind !== 'within') return schedule;
	return isWithin(schedule, nowMs) ? { kind: 'now' } : findBegin(schedule, nowMs);
}

/** The end is not part of the hours. */
function isWithin({ fromMs, toMs, zone }: Hours, instantMs: number): boolean {
	const localMs = instantMs + offsetMs(zone, instantMs);
	const timeMs = localMs - Math.floor(localMs / dayMs) * dayMs;
	return fromMs < toMs ? timeMs >= fromMs && timeMs < toMs : timeMs >= fromMs || timeMs < toMs;
}

/** Finds when the hours next begin: where clocks skip that time, when they have skipped it. */
function findBegin(hours: Hours, nowMs: number): Decided {
	const { fromMs, zone } = hours;
	const todayMs = Math.floor((nowMs + offsetMs(zone, nowMs)) / dayMs) * dayMs;
	for (let dateMs = todayMs; ; dateMs += dayMs) {
		const localMs = dateMs + fromMs;
		const local = resolveLocal(localMs, zone);
		if (local.kind === 'once' && local.instantMs > nowMs)
			return { kind: 'at', instantMs: local.instantMs, zone };
		if (local.kind === 'skipped' && local.changeMs > nowMs && isWithin(hours, local.changeMs))
			return { kind: 'at', instantMs: local.changeMs, zone };
		if (local.kind !== 'twice') continue;
		const { earlierMs, laterMs } = local;
		if (earlierMs > nowMs)
			return { kind: 'at', instantMs: earlierMs, zone, hint: twiceHint(localMs, local, zone) };
		if (laterMs > nowMs) return { kind: 'at', instantMs: laterMs, zone };
	}
}

/** The schedule with the most fields that a message may get. */
export function withAllFields(schedule: Schedule, nowMs: number): Decided {
	return schedule.kind === 'within'
		? { kind: 'at', instantMs: nowMs, zone: schedule.zone }
		: schedule;
}
