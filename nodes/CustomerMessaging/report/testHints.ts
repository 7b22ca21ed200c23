import { listed, quote } from '../shared/formatting';
import type { TestRecipient } from '../run/testRecipient';
import { hasFailed, type Result, type SentResult } from '../shared/result';

/** Says what became of the test message, and how it differs from the real one. */
export function testHints(
	{ value }: TestRecipient,
	results: readonly Result[],
	triggers: readonly string[],
): string[] {
	const tests = results.filter((result): result is SentResult => result.kind === 'sent');
	const [first] = tests;
	const { itemIndex, test } = first?.delivery ?? {};
	if (!test) {
		return [
			'Nothing was sent: this execution has sent its test message already, so these are only previewed.',
		];
	}
	const others = results.some(({ kind }) => kind === 'preview')
		? 'Nobody else got it: the other messages are only previewed.'
		: 'Nobody else got it.';
	const byTrigger =
		triggers.length > 0
			? ` Started by ${listed(triggers.map(quote))}, the workflow sends to everyone it is meant for.`
			: '';
	const nothingElse = `${others}${byTrigger}`;
	const accepted = tests.filter((result) => !hasFailed(result));
	if (accepted.length < tests.length) {
		return [
			`The test message of item ${itemIndex} was not accepted everywhere. Its output says why. ${nothingElse}`,
		];
	}
	const platforms = accepted.flatMap(({ delivery: { platform } }) => platform ?? []);
	const where = platforms.length > 0 ? ` on ${platforms.join(', ')}` : '';
	return [
		`Test sent to ${value}${where}. ${nothingElse}`,
		`The test differs from the real message: ${test.changes.join('. ')}.`,
	];
}
