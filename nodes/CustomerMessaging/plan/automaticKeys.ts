import type { N8n } from '../n8n/context';
import { declaredFields, type Row } from '../operations/operation';
import { differingFields, differsByItself } from '../run/differs';
import { parseTemplate } from '../run/expressions';
import type { Run } from '../run/resolveRun';
import { MINUTE_MS } from '../shared/slices';
import type { Delivery } from '../shared/delivery';
import { contentEntries, onceKey } from './identity';
import { isAllowed } from './messageFilter';
import { formatPeriod } from './sendOnceKey';

/**
 * Keeps other executions from sending a message again without a key of Send Once: people press Execute again, and
 * triggers fire twice. The node then makes keys of its own.
 *
 * As an agent's tool, and in a sub-workflow, a message to many needs a key of Send Once instead. Questions have no
 * keys, because each one is new.
 */
interface AutomaticKey {
	/** True for executions that were started by hand, false for those of a trigger. */
	isByHand: boolean;
	isToMany: boolean;
	/** True if it also applies with Send Once on and its key left empty. */
	isWithSendOnce?: true;
	/**
	 * Parts that identify a message to a recipient or audience: its whole content and time, the same without code
	 * that changes by itself, or only the name of a broadcast.
	 */
	comparedBy: 'all' | 'steady' | 'name';
	/** The calendar day, or ten to twenty minutes. */
	heldFor: 'day' | 'tenMinutes';
	/** The reason for skipping messages, and how to send them anyway. Absent where a hint counts them. */
	why?(skipped: { number: number; nameOfBroadcast: string; sendOnce: boolean }): string;
}

const table: readonly AutomaticKey[] = [
	{ isByHand: true, isToMany: false, comparedBy: 'all', heldFor: 'day' },
	{
		isByHand: true,
		isToMany: true,
		isWithSendOnce: true,
		comparedBy: 'name',
		heldFor: 'day',
		why({ number, nameOfBroadcast: name, sendOnce }) {
			const [they, them] = number === 1 ? ['it', 'it'] : ['they', 'them'];
			const since = sendOnce ? 'today already, or before with the same content' : 'today already';
			const orElse = sendOnce
				? "or a 'Send Once Key' of your own, such as the headline"
				: "or turn on 'Allow Duplicates' under Options. Or turn on 'Send Once' with a key of your own, such as the headline";
			return `because ${they} went out ${since}, and n8n cannot change or cancel ${them}. Started by hand, a broadcast goes out once a day to each audience with the same ${name}, whatever its text, links and time. To send ${them} again on purpose, enter another ${name}, ${orElse}.`;
		},
	},
	{
		isByHand: false,
		isToMany: true,
		comparedBy: 'steady',
		heldFor: 'tenMinutes',
		why: ({ number }) =>
			`because another execution sent the same to the same audience in the last minutes: triggers may fire twice for one event. To send ${number === 1 ? 'it' : 'them'} again on purpose, wait 20 minutes, or turn on 'Allow Duplicates' under Options. Or turn on 'Send Once' with a key that changes with each occasion.`,
	},
];

/** The automatic key of messages to many, or to single people. */
export function findAutomaticKey(
	isToMany: boolean,
	{ history, settings }: Pick<Run, 'history' | 'settings'>,
): AutomaticKey | undefined {
	const isByHand = history.startedByHand === true;
	return table.find(
		(key) =>
			key.isToMany === isToMany &&
			key.isByHand === isByHand &&
			(key.isWithSendOnce || !settings.sendOnce),
	);
}

const SPAN_MS = 10 * MINUTE_MS;
/** Fields by which people know a broadcast: the title of a push, the campaign of an email or SMS. */
const names = ['campaign_name', 'title'];

/** Makes the automatic keys of messages. `isForLists`: a list that is sent by hand has some. */
export function automaticKeys(run: Run, n8n: N8n) {
	const { operation, account, history, settings, mode } = run;
	const hasKeys = operation.isMessage && !operation.waits && !n8n.isTool && mode.kind === 'send';
	const toMany = hasKeys ? findAutomaticKey(true, run) : undefined;
	const toPersons = hasKeys ? findAutomaticKey(false, run) : undefined;
	const differing = differingFields(operation, n8n);
	const declared = declaredFields(operation);
	// Retries belong to the day and the span of the first try.
	const day = `by hand ${formatPeriod('day', history.firstTryMs, n8n.workflowZone)}`;
	const span = Math.floor(history.firstTryMs / SPAN_MS);
	// Two executions at the border of two spans share one of these, whichever is first.
	const periods = { day: [day], tenMinutes: [`span ${span}`, `span ${span + 1}`] };

	/** The time of sending as the user chose it. A time computed from now differs in each execution. */
	const chosenTime = ({ schedule }: Delivery, { sendAt, ...parameters }: Parameters) => {
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
	const contentOf = ({ comparedBy }: AutomaticKey, delivery: Delivery, parameters: Parameters) => {
		const entries = comparedBy === 'all' ? contentEntries(delivery) : steadyEntries(delivery);
		if (comparedBy === 'name') return [Object.fromEntries(entries.filter(isName))];
		return [Object.fromEntries(entries), chosenTime(delivery, parameters)];
	};
	return {
		isForLists: toPersons !== undefined,
		ownKeysOf(
			delivery: Delivery,
			parameters: Parameters,
		): Pick<Delivery, 'ownKeys' | 'ignoresKeys'> {
			const key = delivery.audience === undefined ? toPersons : toMany;
			// A key that the user entered decides alone.
			if (!key || delivery.onceContent !== undefined) return {};
			// A message to the test recipient is meant each time.
			if (!key.isToMany && isAllowed(delivery, account.testRecipients, declared)) return {};
			const content = contentOf(key, delivery, parameters);
			return {
				ownKeys: periods[key.heldFor].map((period) => onceKey(run, delivery, period, content)),
				ignoresKeys: settings.sendDuplicates,
			};
		},
	};
}

type Parameters = Row['parameters'];
