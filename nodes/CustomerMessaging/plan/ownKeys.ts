import { differingFields, differsByItself } from '../run/differs';
import { declaredFields } from '../operations/operation';
import type { N8n } from '../n8n/context';
import type { Run } from '../run/resolveRun';
import type { RepeatRule } from '../run/repeats';
import { isZone } from '../schedule/localTime';
import { MINUTE_MS } from '../shared/apis';
import type { Delivery } from '../shared/delivery';
import { contentEntries, onceKey } from './identity';
import { isAllowed } from './messageFilter';
import { formatPeriod } from './sendOnceKey';
import { parseTemplate } from '../run/expressions';

const SPAN_MS = 10 * MINUTE_MS;
/** What people know a broadcast by: the title of a push, and the campaign of an email or SMS. */
const names = ['campaign_name', 'title'];

/** The parameters of a row. */
type Parameters = Readonly<Record<string, unknown>>;

/** Returns a function that gives a message the keys by which other executions know it without a key of Send Once. */
export function ownKeys(run: Run, n8n: N8n) {
	const { repeats, operation, account, history, settings } = run;
	const differing = differingFields(operation, n8n);
	const declared = declaredFields(operation);
	// Retries belong to the day and the span of the first try.
	const zone = isZone(n8n.workflowZone) ? n8n.workflowZone : 'UTC';
	const day = `by hand ${formatPeriod('day', history.firstTryMs, zone)}`;
	const span = Math.floor(history.firstTryMs / SPAN_MS);

	const isComputed = (name: string) => differing.get(name)?.often === 'eachRun';
	/** When it is to be sent, as it was chosen. What is computed from now differs in each execution. */
	const chosenTime = ({ schedule }: Delivery, { sendAt, ...parameters }: Parameters) => {
		const { nextTime, nextDays, scheduleTimezone } = parameters;
		if (sendAt === 'next') return [sendAt, nextTime, nextDays, scheduleTimezone];
		const isFromNow = isComputed(sendAt === 'at' ? 'scheduledFor' : 'time');
		return isFromNow && (sendAt === 'at' || sendAt === 'delay') ? sendAt : schedule;
	};
	/** A text without what differs by itself. */
	const steadyText = (name: string, itemIndex: number): unknown[] =>
		(parseTemplate(n8n.raw(name)) ?? []).map((part) => {
			if (typeof part === 'string') return part;
			return differsByItself(`={{${part.code}}}`) ? '' : n8n.evaluate(part.code, itemIndex);
		});
	const steady = (delivery: Delivery) =>
		contentEntries(delivery).flatMap(([name, value]): Array<[string, unknown]> => {
			if (differing.has(name)) return [[name, steadyText(name, delivery.itemIndex)]];
			return Object.hasOwn(declared, name) || !differing.has('extraBodyFields')
				? [[name, value]]
				: [];
		});

	const rules: Record<RepeatRule, (delivery: Delivery, parameters: Parameters) => string[]> = {
		listADay(delivery, parameters) {
			const said = Object.fromEntries(contentEntries(delivery));
			return [onceKey(run, delivery, day, [said, chosenTime(delivery, parameters)])];
		},
		broadcastADay(delivery) {
			const known = steady(delivery).filter(
				([field]) => names.includes(field) || declared[field]?.reaches === 'fewer',
			);
			return [onceKey(run, delivery, day, [Object.fromEntries(known)])];
		},
		broadcastInTenMinutes(delivery, parameters) {
			const said = [Object.fromEntries(steady(delivery)), chosenTime(delivery, parameters)];
			// Two executions at the border of two spans share one of these, whichever is first.
			return [span, span + 1].map((one) => onceKey(run, delivery, `span ${one}`, said));
		},
	};
	return (
		delivery: Delivery,
		parameters: Parameters,
	): Pick<Delivery, 'ownKeys' | 'isSentAnyway'> => {
		const isToMany = delivery.audience !== undefined;
		const rule = isToMany ? repeats.toMany : repeats.toPersons;
		// A key that the user entered decides alone.
		if (delivery.onceContent !== undefined) return {};
		// Whoever tries a message out on himself wants it each time.
		if (!rule || (!isToMany && isAllowed(delivery, account.testRecipients, declared))) return {};
		return {
			ownKeys: rules[rule](delivery, parameters),
			isSentAnyway: settings.sendDuplicates,
		};
	};
}
