import {
	type Kept,
	type LedgerContext,
	openLedger,
} from '../../../nodes/CustomerMessaging/sending/ledger';

const accepted: Kept = {
	outcome: {
		outcome: 'accepted',
		statusCode: 200,
		response: { id: 1 },
		attempts: 1,
		rateLimitRemaining: 9,
	},
	batch: { index: 1, size: 2 },
};
const unknown: Kept = {
	outcome: { outcome: 'unknown', code: 'ECONNRESET', message: 'reset', attempts: 1 },
};

describe('the ledger of one run', () => {
	it('remembers what was accepted and what may have been, when opened again', () => {
		const context: LedgerContext = {};
		const ledger = openLedger(context, 0);
		ledger.record('a', accepted);
		ledger.record('b', unknown);
		const reopened = openLedger(context, 0);
		expect(reopened.find('a')).toEqual(accepted);
		expect(reopened.find('b')).toEqual(unknown);
		expect(reopened.find('c')).toBeUndefined();
	});

	it('does not remember what may go again', () => {
		const ledger = openLedger({}, 0);
		ledger.record('a', {
			outcome: { outcome: 'rejected', statusCode: 400, response: null, attempts: 1 },
		});
		ledger.record('b', { outcome: { outcome: 'notSent', reason: 'stopped', attempts: 0 } });
		expect(ledger.find('a')).toBeUndefined();
		expect(ledger.find('b')).toBeUndefined();
	});

	it('lives through JSON', () => {
		const context: LedgerContext = {};
		openLedger(context, 2).record('a', accepted);
		expect(openLedger(JSON.parse(JSON.stringify(context)), 2).find('a')).toEqual(accepted);
	});

	it('forgets earlier runs, so that a loop does not grow', () => {
		const context: LedgerContext = {};
		for (let runIndex = 0; runIndex < 10_000; runIndex++) {
			openLedger(context, runIndex).record('a', accepted);
		}
		expect(openLedger(context, 10_000).find('a')).toBeUndefined();
		expect(JSON.stringify(context)).toBe('{"deliveries":{"runIndex":10000,"kept":{}}}');
	});

	it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])(
		'takes %p for a key like any other',
		(key) => {
			const context: LedgerContext = {};
			const ledger = openLedger(context, 0);
			expect(ledger.find(key)).toBeUndefined();
			ledger.record(key, accepted);
			expect(openLedger(JSON.parse(JSON.stringify(context)), 0).find(key)).toEqual(accepted);
			expect(Object.getPrototypeOf({})).toBe(Object.prototype);
		},
	);

	it('forgets what it is told to', () => {
		const context: LedgerContext = {};
		const ledger = openLedger(context, 0);
		ledger.record('a', accepted);
		ledger.record('b', unknown);
		ledger.forget('a');
		expect(ledger.find('a')).toBeUndefined();
		expect(openLedger(context, 0).find('b')).toEqual(unknown);
	});
});
