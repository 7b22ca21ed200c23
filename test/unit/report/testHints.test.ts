import { testHints as hintsOf } from '../../../nodes/CustomerMessaging/report/testHints';
import type { Platform } from '../../../nodes/CustomerMessaging/shared/delivery';
import type { Result } from '../../../nodes/CustomerMessaging/shared/result';
import { accepted, operationOf, preview, rejected, sent } from './support/results';

const me = { operation: operationOf('push', 'send'), key: 'user_id', value: 'me', fields: {} };
const testHints = (results: readonly Result[]) => hintsOf(me, results);
const byTrigger = 'Started by its trigger, the workflow sends to everyone it is meant for.';
const test = {
	changes: ['Sent to the test recipient instead of everyone', 'Sent now instead of later'],
};

describe('A hint about a test message', () => {
	it('says who got it, and how it differs from the real one', () => {
		expect(testHints([sent(0, accepted(), { test })])).toEqual([
			`Test sent to me. Nobody else got it. ${byTrigger}`,
			'The test differs from the real message: Sent to the test recipient instead of everyone. Sent now instead of later.',
		]);
	});

	it('names the platforms and the messages that are only previewed', () => {
		const on = (platform: Platform) => sent(0, accepted(), { test, platform });
		expect(testHints([on('web'), on('ios'), preview(1)])[0]).toBe(
			`Test sent to me on web, ios. Nobody else got it: the other messages are only previewed. ${byTrigger}`,
		);
	});

	it('points to the output if it was not accepted everywhere', () => {
		const ios = sent(2, accepted(), { test, platform: 'ios' });
		const web = sent(2, rejected(), { test, platform: 'web' });
		expect(testHints([ios, web])).toEqual([
			`The test message of item 2 was not accepted everywhere. Its output says why. Nobody else got it. ${byTrigger}`,
		]);
	});

	it('says that nothing was sent if the execution has sent its test before', () => {
		const nothing = [
			'Nothing was sent: this execution has sent its test message already, so these are only previewed.',
		];
		expect(testHints([preview(0)])).toEqual(nothing);
		expect(testHints([sent(0, accepted())])).toEqual(nothing);
	});
});
