import { isEmpty } from '../fields/field';
import { isProblem, type Problem } from '../shared/problem';
import { at, maxInstantMs, readZone, type ScheduleReading } from './choice';
import { type PlaceholderIn, readDateTime } from './dateTime';
import { skippedMessage, twiceHint } from './formatting';
import { resolveLocal } from './localTime';

const field = 'event_time';
const label = 'Event Time';

/**
 * Reads when an event happened. Empty means the time of sending. Unlike the time of a message, it may
 * have passed. Never throws: returns all problems at once, each with its parameter.
 *
 * @param timezone IANA timezone of a time without an offset; empty for the workflow's
 */
export function readEventTime(
	value: unknown,
	timezone: unknown,
	workflowZone: string,
	placeholderIn?: PlaceholderIn,
): ScheduleReading {
	if (isEmpty(value)) return { schedule: { kind: 'now' } };
	const zone = readZone(timezone, workflowZone);
	const asked = readDateTime(value, { field, label }, placeholderIn);
	if (isProblem(zone) || isProblem(asked)) return { problems: [zone, asked].filter(isProblem) };

	if ('instantMs' in asked) {
		return asked.instantMs > maxInstantMs ? tooFarAhead : at(asked.instantMs, zone);
	}
	const { localMs } = asked;
	const local = resolveLocal(localMs, zone);
	switch (local.kind) {
		case 'once':
			return local.instantMs > maxInstantMs ? tooFarAhead : at(local.instantMs, zone);
		case 'twice':
			return at(
				local.earlierMs,
				zone,
				twiceHint(localMs, local, zone, "switch 'Event Time' to Expression and enter"),
			);
		case 'skipped':
			return refuse(skippedMessage(localMs, local, zone));
	}
}

function refuse(message: string): { problems: Problem[] } {
	return { problems: [{ field, message }] };
}

const tooFarAhead = refuse(`${label} is too far ahead. Choose one before the year 9999`);
