import { countMessages } from '../plan/counts';
import type { Operation } from '../operations/operation';
import type { RepeatRule } from '../run/repeats';
import type { KnownRun, Run } from '../run/resolveRun';
import { count, grouped } from '../shared/formatting';
import { type Result, type SentDelivery, type SkippedResult } from '../shared/result';
import { compact, pickAccepted, pickSkipped } from './names';

const isTimed = ({ schedule }: SentDelivery) => schedule !== undefined && schedule.kind !== 'now';
const isToMany = ({ audience }: SentDelivery) => audience !== undefined;

/** What other executions had sent, or may have sent, so that this one skipped it. */
export function skippedAs(
	outcome: 'accepted' | 'unknown',
	results: readonly Result[],
): SkippedResult[] {
	return pickSkipped(results).filter(({ ending }) => ending.values?.earlierOutcome === outcome);
}

/** Whether a run by hand sent a list, of which the next run by hand skips what was sent. */
export function isListADay(results: readonly Result[], { repeats }: KnownRun): boolean {
	return (
		repeats?.toPersons !== undefined &&
		results.some(({ delivery }) => delivery.ownKeys && !delivery.isSentAnyway)
	);
}

/** Of a list that is run again by hand, how many had got it. */
export function listSentence(
	results: readonly Result[],
	run: KnownRun,
	itemCount = new Set(results.map(({ delivery }) => delivery.itemIndex)).size,
): string | undefined {
	if (!run.repeats?.toPersons) return undefined;
	const deliveriesOf = (some: ReadonlyArray<{ delivery: SentDelivery }>) =>
		some.map(({ delivery }) => delivery);
	const before = countMessages(deliveriesOf(skippedAs('accepted', results)));
	if (before === 0) return undefined;
	const now = countMessages(
		deliveriesOf(pickAccepted(results).filter(({ sentBefore }) => !sentBefore)),
	);
	return `${grouped(before)} of these ${grouped(itemCount)} got this message from this node today; ${grouped(now)} ${now === 1 ? 'was' : 'were'} sent now. To send it to everyone again on purpose, turn on 'Allow Duplicates' under Options.`;
}

/** Says that the notes of a list do not reach back to the beginning of the day. */
export function cutOffSentence(results: readonly Result[], isCutOff = false): string | undefined {
	if (!isCutOff || pickAccepted(results).length === 0) return undefined;
	return "This node has sent so much today that its notes do not reach back to the beginning of the day. Whoever got this message before that may have got it again now: earlier runs in n8n's Executions tell who.";
}

/** What a run in which nothing failed would hide about what the node's own keys skipped. */
export function repeatWarnings(results: readonly Result[], run: Run): string[] {
	const { repeats, settings } = run;
	const unknown = settings.sendOnce ? [] : skippedAs('unknown', results);
	const [broadcasts, sending, messages] = [
		skippedAs('accepted', results).filter(({ delivery }) => isToMany(delivery) && delivery.ownKeys),
		unknown.filter(({ delivery }) => isToMany(delivery)),
		unknown.filter(({ delivery }) => !isToMany(delivery)),
	].map((skipped) => skipped.length > 0 && skipped);
	return compact(
		broadcasts && repeats.toMany && becauseOf[repeats.toMany](broadcasts, run),
		sending &&
			`${skippedMessages(sending.length, 'broadcast')}, because another execution is sending the same to the same audience, or does not know how that ended. Its output says what became of ${them(sending.length)}; otherwise check in the account. To send ${them(sending.length)} all the same, turn on 'Allow Duplicates' under Options.`,
		[...(broadcasts || []), ...(sending || [])].some(({ delivery }) => isTimed(delivery)) &&
			'A changed time was not sent: correct it in the account.',
		messages &&
			`${skippedMessages(messages.length)} that may never have arrived: another execution sent ${them(messages.length)} or is sending ${them(messages.length)}, and has not noted how that ended. Check in the account whether ${they(messages.length)} arrived. To send ${them(messages.length)} all the same, turn on 'Allow Duplicates' under Options. Whoever got the message already then gets it twice.`,
	);
}

/** What tells one broadcast from another. */
export function nameOfBroadcast({ fields }: Pick<Operation, 'fields'>): string {
	return 'campaign_name' in fields.required ? 'campaign name' : 'title';
}

const them = (number: number) => (number === 1 ? 'it' : 'them');
const they = (number: number) => (number === 1 ? 'it' : 'they');
const skippedMessages = (number: number, noun = 'message') =>
	`${count(number, noun)} ${number === 1 ? 'was' : 'were'} skipped`;

const becauseOf: Record<
	RepeatRule,
	(skipped: readonly SkippedResult[], run: Run) => string | undefined
> = {
	listADay: () => undefined,
	broadcastADay: ({ length: number }, { operation, settings: { sendOnce } }) => {
		const name = nameOfBroadcast(operation);
		const since = sendOnce ? 'today already, or before with the same content' : 'today already';
		const orElse = sendOnce
			? "or a 'Send Once Key' of your own, such as the headline"
			: "or turn on 'Allow Duplicates' under Options. Or turn on 'Send Once' with a key of your own, such as the headline";
		return `${skippedMessages(number, 'broadcast')}, because ${they(number)} went out ${since}, and n8n cannot change or cancel ${them(number)}. Started by hand, a broadcast goes out once a day to each audience with the same ${name}, whatever its text, links and time. To send ${them(number)} again on purpose, enter another ${name}, ${orElse}.`;
	},
	broadcastInTenMinutes: ({ length }) =>
		`${skippedMessages(length, 'broadcast')}, because another execution sent the same to the same audience in the last minutes: triggers may fire twice for one event. To send ${them(length)} again on purpose, wait 20 minutes, or turn on 'Allow Duplicates' under Options. Or turn on 'Send Once' with a key that changes with each occasion.`,
};
