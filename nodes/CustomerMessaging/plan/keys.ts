import { DateTime } from 'luxon';

import { isEmpty } from '../fields/field';
import { isNobody, LOST, lostCharacter, standsForNone } from '../fields/lost';
import { isExact, rounded, withoutInvisible } from '../fields/text';
import type { N8n } from '../n8n/context';
import { type Checked, declaredFields, type Row } from '../operations/operation';
import { parseTemplate, differsByItself } from '../run/expressions';
import type { Run } from '../run/resolveRun';
import { isZone } from '../schedule/localTime';
import { MINUTE_MS } from '../shared/slices';
import type { Delivery } from '../shared/delivery';
import type { Problem } from '../shared/ending';
import { givenOne, quote, say, type Sentence } from '../shared/formatting';
import { contentEntries, contentKey, onceKey, wholeContent } from './identity';
import { isAllowed } from './messageFilter';

// Keys by which executions know what others sent: those of Send Once, and automatic ones.

type Period = Run['settings']['sendOncePeriod'];

const inOneSpelling = (key: unknown) => withoutInvisible(String(key)).normalize('NFC');

const occasion =
	"a key that changes with each occasion, such as the campaign's name and date: Spring sale {{ $today.toISODate() }}";

/** Returns a function that gives the deliveries of a row their keys of Send Once, or refuses its key. */
export function sendOnceKeys(run: Run, n8n: Pick<N8n, 'raw' | 'workflowZone' | 'isTool'>) {
	const { settings, differing, history, needsOnceKey } = run;
	const { sendOnce } = settings;
	const varyingKey = differsByItself(n8n.raw('sendOnceKey'));
	const varying = [...differing.values()].find(({ often }) => often === 'eachRun');
	// A retry belongs to the period of the first try.
	const period = formatPeriod(settings.sendOncePeriod, history.firstTryMs, n8n.workflowZone);
	const withKey = (delivery: Delivery, key: string): Delivery => ({
		...delivery,
		onceKey: onceKey(run, delivery, period, key === '' ? wholeContent(delivery) : [key]),
		onceContent: key === '' ? undefined : contentKey(delivery),
	});
	/** Refuses a key that cannot tell messages apart. */
	const refuse = (value: unknown, key: string, reachesMany: boolean): Problem | undefined => {
		const field = 'sendOnceKey';
		if (sendOnce && key !== '' && varyingKey?.often === 'eachRun') {
			const rule = `Send Once Key contains ${quote(varyingKey.code)}, which differs in each execution, so each one could send this to the same people again. Enter ${occasion}`;
			return { field, rule };
		}
		const refused = keyProblem(value);
		if (refused) return { field, ...say`Send Once Key ${refused}` };
		if (key !== '') return undefined;
		if (needsOnceKey && reachesMany) {
			const where = n8n.isTool ? 'As a tool' : 'In a sub-workflow';
			const rule = `${where}, each call could send this to the same people again. Turn on 'Send Once' and enter ${occasion}. With the period Ever, a fixed key sends once and never again`;
			return { field: 'sendOnce', rule };
		}
		if (!sendOnce || !varying) return undefined;
		const { label, code } = varying;
		const rule = `'${label}' contains ${quote(code)}, which differs in each run. Without a key, Send Once compares the whole request, so it would never skip anything. Enter a key, such as an order number`;
		return { field, rule };
	};
	return (made: Delivery[], { sendOnceKey: value }: Row['parameters']): Checked => {
		// Empty if the whole request is the key.
		const key = isEmpty(value) || typeof value === 'object' ? '' : inOneSpelling(value);
		const reachesMany = made.some(({ audience }) => audience !== undefined);
		const problem = refuse(value, key, reachesMany);
		if (problem) return { problems: [problem] };
		return { deliveries: sendOnce ? made.map((one) => withKey(one, key)) : made };
	};
}

/** The start of a calendar period. Send Once refuses an unknown zone; days by hand are then those of UTC. */
export function startOfPeriod(period: Exclude<Period, 'ever'>, nowMs: number, zone: string) {
	return DateTime.fromMillis(nowMs, { zone: isZone(zone) ? zone : 'UTC' }).startOf(period);
}

/** Identifies a calendar period by its first day. The text is empty for `ever`. */
export function formatPeriod(period: Period, nowMs: number, zone: string): string {
	return period === 'ever' ? '' : `${period} ${startOfPeriod(period, nowMs, zone).toISODate()}`;
}

/** Refuses a key that does not tell messages apart, because all but the first would be skipped. */
function keyProblem(value: unknown): string | Sentence | undefined {
	if (isEmpty(value)) return undefined;
	if (!['string', 'number', 'boolean'].includes(typeof value))
		return say`must be text or a number, but it is ${givenOne(value)}`;
	if (String(value).includes(LOST)) return lostCharacter;
	if (isNobody(String(value)))
		return `${standsForNone(String(value))}, so different messages would count as the same. Correct the expression`;
	return typeof value === 'number' && !isExact(value) ? `is ${rounded}` : undefined;
}

/**
 * Keeps other executions from sending a message again without a key of Send Once: people press Execute again, and
 * triggers fire twice. The node then makes keys of its own:
 *
 * - `listByHand`: for messages to single people, from their whole content and time; held for a calendar day
 * - `broadcastByHand`: from its name; held for a calendar day, also with Send Once on and its key left empty
 * - `broadcastByTrigger`: from its content and time without code that changes by itself; held for 10 to 20 minutes
 *
 * As an agent's tool, and in a sub-workflow, a message to many needs a key of Send Once instead. Questions have no
 * keys, because each one is new.
 */
type AutomaticKey = 'listByHand' | 'broadcastByHand' | 'broadcastByTrigger';

/** The automatic key of messages to many, or to single people. */
function findAutomaticKey(isToMany: boolean, { history, settings }: Run): AutomaticKey | undefined {
	const isByHand = history.startedByHand === true;
	if (isToMany && isByHand) return 'broadcastByHand';
	if (settings.sendOnce) return undefined;
	if (isToMany) return 'broadcastByTrigger';
	return isByHand ? 'listByHand' : undefined;
}

/** Says why broadcasts were skipped, and how to send them anyway. A hint counts skipped messages of a list. */
export function whyBroadcastsSkipped(nameOfBroadcast: string, run: Run): string {
	if (findAutomaticKey(true, run) === 'broadcastByTrigger')
		return "because another execution sent the same to the same audience in the last minutes: triggers may fire twice for one event. To send it again on purpose, wait 20 minutes, or turn on 'Allow Duplicates' under Options. Or turn on 'Send Once' with a key that changes with each occasion.";
	const [since, orElse] = run.settings.sendOnce
		? [', or before with the same content', '']
		: ['', ", turn on 'Allow Duplicates' under Options"];
	return `because the same went out today already${since}, and n8n cannot change or cancel it. Started by hand, a broadcast goes out once a day to each audience with the same ${nameOfBroadcast}, whatever its text, links and time. To send it again on purpose, enter another ${nameOfBroadcast}${orElse}, or use a 'Send Once Key' of your own, such as the headline.`;
}

const SPAN_MS = 10 * MINUTE_MS;
/** Fields by which people know a broadcast: the title of a push, the campaign of an email or SMS. */
const names = ['campaign_name', 'title'];

/** Returns a function that makes the automatic keys of a message. */
export function automaticKeys(
	run: Run,
	n8n: Pick<N8n, 'isTool' | 'workflowZone' | 'raw' | 'evaluate'>,
) {
	const { operation, account, differing, history, settings, mode } = run;
	const hasKeys = operation.isMessage && !operation.waits && !n8n.isTool && mode.kind === 'send';
	const declared = declaredFields(operation);
	// Retries belong to the day and the span of the first try.
	const day = `by hand ${formatPeriod('day', history.firstTryMs, n8n.workflowZone)}`;
	const span = Math.floor(history.firstTryMs / SPAN_MS);
	// Two executions at the border of two spans share one of these, whichever is first.
	const spans = [`span ${span}`, `span ${span + 1}`];

	/** The time of sending as the user chose it. A time computed from now differs in each execution. */
	const chosenTime = ({ schedule }: Delivery, { sendAt, ...parameters }: Row['parameters']) => {
		const { nextTime, nextDays, scheduleTimezone } = parameters;
		if (sendAt === 'next') return [sendAt, nextTime, nextDays, scheduleTimezone];
		const varying = differing.get(sendAt === 'at' ? 'scheduledFor' : 'time');
		const isFromNow = varying?.often === 'eachRun' && (sendAt === 'at' || sendAt === 'delay');
		return isFromNow ? sendAt : schedule;
	};
	/** A text without the code that changes by itself. */
	const steadyText = (name: string, itemIndex: number): unknown[] =>
		(parseTemplate(n8n.raw(name)) ?? []).map((part) => {
			if (typeof part === 'string') return part;
			return differsByItself(`={{${part.code}}}`) ? '' : n8n.evaluate(part.code, itemIndex);
		});
	const steadyEntries = (delivery: Delivery) =>
		contentEntries(delivery).flatMap(([name, value]): Array<[string, unknown]> => {
			if (differing.has(name)) return [[name, steadyText(name, delivery.itemIndex)]];
			const isSteady = Object.hasOwn(declared, name) || !differing.has('extraBodyFields');
			return isSteady ? [[name, value]] : [];
		});
	// A field that narrows the audience also tells broadcasts apart.
	const isName = ([field]: [string, unknown]) =>
		names.includes(field) || declared[field]?.reaches === 'fewer';
	return (delivery: Delivery, parameters: Row['parameters']) => {
		const key = hasKeys && findAutomaticKey(delivery.audience !== undefined, run);
		// A key that the user entered decides alone.
		if (!key || delivery.onceContent !== undefined) return {};
		// A message to the test recipient is meant each time.
		if (key === 'listByHand' && isAllowed(delivery, account.testRecipients, declared)) return {};
		const entries = key === 'listByHand' ? contentEntries(delivery) : steadyEntries(delivery);
		const content =
			key === 'broadcastByHand'
				? [Object.fromEntries(entries.filter(isName))]
				: [Object.fromEntries(entries), chosenTime(delivery, parameters)];
		const periods = key === 'broadcastByTrigger' ? spans : [day];
		const ownKeys = periods.map((period) => onceKey(run, delivery, period, content));
		return { ownKeys, ignoresKeys: settings.sendDuplicates };
	};
}
