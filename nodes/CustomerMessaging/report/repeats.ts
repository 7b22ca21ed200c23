import { whyBroadcastsSkipped } from '../plan/keys';
import { countMessages } from '../plan/counts';
import type { Operation } from '../operations/operation';
import type { KnownRun, Run } from '../run/resolveRun';
import { count, grouped } from '../shared/formatting';
import type { Result, SentDelivery, UnsentResult } from '../shared/ending';
import { compact, pickAccepted, pickSkipped, them, were } from './names';

const isTimed = ({ schedule }: SentDelivery) => schedule !== undefined && schedule.kind !== 'now';
const isToMany = ({ audience }: SentDelivery) => audience !== undefined;

/** What other executions had sent, or may have sent, so that this one skipped it. */
export function skippedAs(
	outcome: 'accepted' | 'unknown',
	results: readonly Result[],
): Array<UnsentResult<'skipped'>> {
	return pickSkipped(results).filter(({ ending }) => ending.values?.earlierOutcome === outcome);
}

/** Whether the next run by hand skips what this one sent. */
export function isListADay(results: readonly Result[], { history }: KnownRun): boolean {
	return (
		history.startedByHand === true &&
		results.some(({ delivery }) => delivery.ownKeys && !delivery.ignoresKeys)
	);
}

/** Of a list that is run again by hand, how many had got it. */
export function listSentence(
	results: readonly Result[],
	{ settings }: KnownRun,
	itemCount = new Set(results.map(({ delivery }) => delivery.itemIndex)).size,
): string | undefined {
	// Of what its keys skipped, there is a sentence of its own.
	if (settings?.sendOnce) return undefined;
	const deliveriesOf = (some: ReadonlyArray<{ delivery: SentDelivery }>) =>
		some.map(({ delivery }) => delivery);
	const before = countMessages(deliveriesOf(skippedAs('accepted', results)));
	if (before === 0) return undefined;
	const now = countMessages(
		deliveriesOf(pickAccepted(results).filter(({ sentBefore }) => !sentBefore)),
	);
	return `${grouped(before)} of these ${grouped(itemCount)} got this message from this node today; ${grouped(now)} ${were(now)} sent now. To send it to everyone again on purpose, turn on 'Allow Duplicates' under Options.`;
}

/** Says that the notes of a list do not reach back to the beginning of the day. */
export function cutOffSentence(results: readonly Result[], isCutOff = false): string | undefined {
	if (!isCutOff || pickAccepted(results).length === 0) return undefined;
	return "This node has sent so much today that its notes do not reach back to the beginning of the day. Whoever got this message before that may have got it again now: earlier runs in n8n's Executions tell who.";
}

/** What a run in which nothing failed would hide about what the automatic keys skipped. */
export function repeatWarnings(results: readonly Result[], run: Run): string[] {
	const { sendOnce } = run.settings;
	const broadcasts = skippedAs('accepted', results).filter(
		({ delivery }) => isToMany(delivery) && delivery.ownKeys,
	);
	const unknown = sendOnce ? [] : skippedAs('unknown', results);
	const inDoubt = unknown.filter(({ delivery }) => isToMany(delivery));
	const { length: doubts } = inDoubt;
	const { length: messages } = unknown.filter(({ delivery }) => !isToMany(delivery));
	return compact(
		broadcasts.length > 0 &&
			`${skippedMessages(broadcasts.length, 'broadcast')}, ${whyBroadcastsSkipped(broadcasts.length, nameOfBroadcast(run.operation), run)}`,
		doubts > 0 &&
			`${skippedMessages(doubts, 'broadcast')}, because another execution is sending the same to the same audience, or does not know how that ended. Its output says what became of ${them(doubts)}; otherwise check in the account. To send ${them(doubts)} all the same, turn on 'Allow Duplicates' under Options.`,
		[...broadcasts, ...inDoubt].some(({ delivery }) => isTimed(delivery)) &&
			'A changed time was not sent: correct it in the account.',
		messages > 0 &&
			`${skippedMessages(messages)} that may never have arrived: another execution sent ${them(messages)} or is sending ${them(messages)}, and has not noted how that ended. Check in the account whether ${messages === 1 ? 'it' : 'they'} arrived. To send ${them(messages)} all the same, turn on 'Allow Duplicates' under Options. Whoever got the message already then gets it twice.`,
	);
}

/** What tells one broadcast from another. */
export function nameOfBroadcast({ fields }: Pick<Operation, 'fields'>): string {
	return 'campaign_name' in fields.required ? 'campaign name' : 'title';
}

const skippedMessages = (number: number, noun = 'message') =>
	`${count(number, noun)} ${were(number)} skipped`;
