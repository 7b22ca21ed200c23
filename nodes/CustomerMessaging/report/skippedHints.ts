import type { Run } from '../run/resolveRun';
import { count, nameItems } from '../shared/formatting';
import { getItemIndex, type Result, type SkippedResult } from '../shared/result';

/** Hints about what Send Once skipped. */
export function skippedHints(results: readonly Result[], run: Run): string[] {
	const { length } = skippedAs('accepted', results);
	if (length === 0) return [];
	return [run.isOnceADay ? outToday(length) : sentBefore(length, run)];
}

function sentBefore(length: number, { needsOnceKey }: Run): string {
	const [were, them] = length === 1 ? ['was', 'it'] : ['were', 'them'];
	const how = needsOnceKey ? "enter another 'Send Once Key'" : 'turn Send Once off for one run';
	return `Send Once: ${count(length, 'message')} ${were} skipped, because this node has sent ${them} before. To send ${them} again on purpose, ${how}.`;
}

function outToday(length: number): string {
	const [were, they, them] = length === 1 ? ['was', 'it', 'it'] : ['were', 'they', 'them'];
	return `${count(length, 'broadcast')} ${were} skipped, because ${they} went out today already: started by hand, the same broadcast goes out once a day. To send ${them} again on purpose, change the message, or turn on 'Send Once' with a key of your own.`;
}

/** What a green run would hide: messages that Send Once skips and that people may miss. */
export function writeWarnings(results: readonly Result[]): string[] {
	const { length } = skippedAs('unknown', results);
	const [they, them] = length === 1 ? ['it', 'it'] : ['they', 'them'];
	const differing = results.filter((one) => one.kind === 'skipped' && one.differs === true);
	const items = [...new Set(differing.map(getItemIndex))];
	return [
		...(length > 0
			? [
					`Send Once: ${count(length, 'message')} ${length === 1 ? 'was' : 'were'} skipped that may never have arrived: when this node sent ${them}, the service failed or did not answer. Check in the account whether ${they} arrived. To send ${them} again, turn on 'Retry Unknown' under Options and run these items again. Whoever got the message already then gets it twice.`,
				]
			: []),
		...(differing.length > 0
			? [
					`Send Once: ${count(differing.length, 'message')} ${differing.length === 1 ? 'was' : 'were'} skipped although another message of this run with the same key says something else: ${nameItems(items)}. If people should get all of them, ${tooCoarse}`,
				]
			: []),
	];
}

const tooCoarse =
	"'Send Once Key' may be too coarse. Add to it what tells these messages apart, such as an order number.";

function skippedAs(outcome: SkippedResult['earlierOutcome'], results: readonly Result[]): Result[] {
	return results.filter((one) => one.kind === 'skipped' && one.earlierOutcome === outcome);
}
