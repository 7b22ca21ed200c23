import type { N8n } from '../n8n/context';
import type { Operation } from '../operations/operation';
import { eventTime, findWrittenAlike } from '../schedule/format';
import { decide } from '../schedule/hours';
import type { ScheduleFormat } from '../schedule/scheduleFormat';
import type { Delivery } from '../shared/delivery';
import { count, itemNumbers, listed } from '../shared/formatting';
import { inSlices } from '../shared/slices';
import { nameItem } from './itemNames';

/** Hints about times that the service may not read as they are meant. */
export async function timeHints(
	{ schedule: writer }: Pick<Operation, 'schedule'>,
	format: ScheduleFormat,
	deliveries: readonly Delivery[],
	{ clock, now }: Pick<N8n, 'clock' | 'now'>,
): Promise<string[]> {
	if (!writer) return [];
	const withoutTime: Delivery[] = [];
	const firsts = new Map<number, Delivery>();
	const alike = new Map<number, number>();
	await inSlices(deliveries, { clock }, (delivery) => {
		const schedule = delivery.schedule && decide(delivery.schedule, now());
		if (schedule?.kind === 'now') withoutTime.push(delivery);
		if (schedule?.kind !== 'at' || firsts.has(schedule.instantMs)) return;
		firsts.set(schedule.instantMs, delivery);
		const otherMs = findWrittenAlike(schedule, writer, format);
		if (otherMs !== undefined) alike.set(schedule.instantMs, otherMs);
	});
	return [
		...(writer === eventTime && firsts.size > 0 ? missingTimes(withoutTime) : []),
		...writtenAlike(
			[...alike].flatMap(([instantMs, otherMs]) => {
				const first = firsts.get(instantMs);
				return first ? [`${utc(instantMs)} (${nameItem(first)}) like ${utc(otherMs)}`] : [];
			}),
			format,
		),
	];
}

/** A single event without a time is probably happening now. Among others with one, its cell may be empty. */
function missingTimes(deliveries: readonly Delivery[]): string[] {
	const { length } = deliveries;
	if (length === 0) return [];
	const numbers = itemNumbers(deliveries.map(({ itemIndex }) => itemIndex));
	const [have, get, items] = length === 1 ? ['has', 'gets', 'item'] : ['have', 'get', 'items'];
	return [
		`${count(length, 'event')} ${have} no Event Time and ${get} the time of sending, while others have a time of their own: ${items} ${numbers}. If that is not meant, fill in their time`,
	];
}

function writtenAlike(times: readonly string[], { scheduleZone }: ScheduleFormat): string[] {
	if (times.length === 0) return [];
	return [
		`Clocks go back in ${scheduleZone}, the Schedule Zone of the credential, so the service cannot tell two times apart that are written the same: ${listed(times)}. Schedule Zone UTC avoids this, if the account reads times in UTC`,
	];
}

function utc(instantMs: number): string {
	return new Date(instantMs).toISOString();
}
