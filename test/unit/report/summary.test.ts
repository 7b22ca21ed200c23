import { stopSummary, tally } from '../../../nodes/CustomerMessaging/report/summary';
import type { NotSentReason } from '../../../nodes/CustomerMessaging/shared/outcome';
import {
	accepted,
	notSent,
	preview,
	rejected,
	runOf,
	sent,
	skipped,
	unknown,
} from './support/results';

const run = runOf('push', 'send');
const customer = (item: number) => ({ userID: `C-${item}` });

describe('The count of what a run did', () => {
	it('names the items of each outcome', () => {
		expect(
			tally([
				sent(0, accepted()),
				sent(1, rejected()),
				sent(2, unknown()),
				sent(3, notSent('stopped')),
				sent(4, notSent('stopped')),
				preview(5),
			]),
		).toBe(
			'Accepted: 1 of 5.\nRefused: 1, items 1.\nMay have been delivered: 1, items 2.\nNot sent: 2, items 3–4.',
		);
	});

	it('names recipients only if it is told how', () => {
		const results = [sent(0, rejected(), customer(0)), sent(1, rejected(), customer(1))];
		expect(tally(results)).toBe('Accepted: 0 of 2.\nRefused: 2, items 0–1.');
		expect(tally(results, ({ userID }) => userID)).toBe(
			'Accepted: 0 of 2.\nRefused: 2, items 0 (C-0), 1 (C-1).',
		);
	});

	it('names items once for each platform', () => {
		expect(
			tally([
				sent(0, rejected(), { platform: 'ios' }),
				sent(1, rejected(), { platform: 'web' }),
				sent(2, rejected(), { platform: 'ios' }),
				sent(2, rejected(), { platform: 'ios' }),
			]),
		).toBe('Accepted: 0 of 4.\nRefused: 4, items 0, 2 on ios; items 1 on web.');
	});

	it('tells what an earlier attempt or execution sent', () => {
		expect(tally([{ ...sent(0, accepted()), sentBefore: true }, sent(1, accepted())])).toBe(
			'Accepted: 2 of 2, 1 of them in an earlier attempt.',
		);
		expect(tally([skipped(0), skipped(1), skipped(2, 'unknown')])).toBe(
			'Accepted: 0 of 0.\nSent before, so skipped: 2.\nMay have been delivered before, so skipped: 1.',
		);
	});
});

describe('What stops a workflow', () => {
	it('is the message of the single item, with what to do', () => {
		expect(stopSummary([sent(0, rejected(413))], run)).toEqual({
			itemIndex: 0,
			httpCode: '413',
			message: 'The service refused the request because it is too large (413)',
			description: 'Shorten the longest fields of this item, or leave some of them out.',
		});
	});

	it('names the item and its recipient, and counts the others', () => {
		const results = [
			sent(0, accepted(), customer(0)),
			sent(1, rejected(413), customer(1)),
			sent(2, notSent('stopped'), customer(2)),
			skipped(3),
		];
		expect(stopSummary(results, run)).toEqual({
			itemIndex: 1,
			httpCode: '413',
			message:
				'The service refused the request because it is too large (413) (item 1, C-1); 1 of 3 had been accepted',
			description:
				'Shorten the longest fields of this item, or leave some of them out.<br>\nAccepted: 1 of 3.<br>\nSent before, so skipped: 1.<br>\nRefused: 1, items 1 (C-1).<br>\nNot sent: 1, items 2 (C-2).',
		});
	});

	it('does not repeat a recipient that the message names already', () => {
		const refused = sent(1, rejected(400), { ...customer(1), platform: 'ios' });
		const { message } = stopSummary([sent(0, accepted()), refused], run);
		expect(message).toBe(
			'The service refused the push to C-1 (400) (item 1 on ios); 1 of 2 had been accepted',
		);
	});

	it('says that it was the test', () => {
		const test = { changes: [] };
		const { message } = stopSummary([sent(0, rejected(413), { test }), preview(1)], run);
		expect(message).toBe(
			'The service refused the request because it is too large (413) (test of item 0); 0 of 1 had been accepted',
		);
	});

	it.each<NotSentReason>(['stopped', 'serviceUnavailable', 'credentialsRefused', 'addressRefused'])(
		'is the cause, not what was left out for it: %s',
		(reason) => {
			const leftOut = sent(0, notSent(reason));
			const { itemIndex, httpCode, message } = stopSummary([leftOut, sent(1, unknown())], run);
			expect([itemIndex, httpCode]).toEqual([1, undefined]);
			expect(message).toContain('No answer came from https://api.example.com');
			expect(stopSummary([leftOut, leftOut], run).itemIndex).toBe(0);
		},
	);

	it('may be a message that could not be sent at all', () => {
		const results = [sent(0, notSent('rateLimit')), sent(1, unknown())];
		expect(stopSummary(results, run).itemIndex).toBe(0);
	});

	it('is what happened now rather than in an earlier attempt', () => {
		const before = { ...sent(0, unknown()), sentBefore: true as const };
		expect(stopSummary([before, sent(1, rejected())], run).itemIndex).toBe(1);
		expect(stopSummary([before, sent(1, notSent('stopped'))], run).itemIndex).toBe(0);
	});

	it('is a count if nothing failed', () => {
		expect(stopSummary([sent(0, accepted())], run)).toEqual({
			message: 'Accepted: 1 of 1.',
			description: '',
		});
	});
});
