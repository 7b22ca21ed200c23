import { type Feedback, Limit } from '../../../../nodes/CustomerMessaging/engine/pace/limit';
import { Quota } from '../../../../nodes/CustomerMessaging/engine/pace/quota';
import { Pace, type PacedRun, paceOf } from '../../../../nodes/CustomerMessaging/engine/pace/pace';
import type { Verdict } from '../../../../nodes/CustomerMessaging/engine/policy';
import { MINUTE_MS } from '../../../../nodes/CustomerMessaging/shared/slices';

/** Ten seconds after a full minute. */
const START_MS = 1_000_000 * MINUTE_MS + 10_000;

const wake = () => {};
const endless = { concurrency: 100, size: Infinity, maxWaitMs: Infinity, isAwaited: false, wake };

/** Drives one pace step by step, at a time in milliseconds since the start. */
function drive(limitPerMinute = 1_000_000) {
	const pace = new Pace(new Limit(new Quota(limitPerMinute)));
	const start = (options: Partial<Parameters<Pace['register']>[0]> = {}) =>
		pace.register({ ...endless, ...options });
	const step = (run: PacedRun, ms = 0) => pace.mayLeave(run, START_MS + ms);
	/** Sends a message, or checks the health, and takes in how that ended at the same time. */
	const send = (run: PacedRun, verdict: Verdict, more: Partial<Feedback> = {}, ms = 0) => {
		const next = step(run, ms);
		if (!('permit' in next)) throw new Error(`It does not leave: ${next.kind}`);
		const row = next.kind === 'healthCheck' ? undefined : {};
		pace.completed(next.permit, { verdict, row, ...more }, START_MS + ms);
		return next.kind;
	};
	return { pace, start, step, send };
}

test('Before the service is known to work, later batches are whole and count as one failure each', () => {
	const { start, send, step } = drive();
	const run = start({ isBatch: true });
	send(run, 'accepted', { rows: 10 });
	for (let failed = 0; failed < 3; failed++) send(run, 'failed', { rows: 100 });
	expect(step(run)).toMatchObject({ kind: 'send', maxRows: Infinity });
});

const neither = ['brokenOff', 'declined', 'forbidden', 'notFound', 'unauthorized'] as const;
test.each(neither)('Neither does sending pause for %s, nor are failures forgotten', (verdict) => {
	const { start, send, step } = drive();
	const run = start();
	send(run, 'accepted');
	for (let row = 0; row < 3; row++) send(run, 'failed');
	send(start(), verdict);
	expect(step(run).kind).toBe('send');
	send(run, 'failed');
	expect(step(run).kind).toBe('wait');
});

test('A run that is refused with 403 to a health check does not end a run with another key', () => {
	const { start, send, step } = drive();
	const [run, other] = [start({ key: 'old' }), start({ key: 'right' })];
	expect([send(run, 'forbidden'), send(other, 'forbidden')]).toEqual(['send', 'send']);
	expect(send(run, 'forbidden')).toBe('healthCheck');
	expect(step(run)).toEqual({ kind: 'end', reason: 'credentialsRefused' });
	expect(send(other, 'accepted')).toBe('healthCheck');
	expect(step(other).kind).toBe('send');
});

test('What a run waits adds up over limit, service and key, each second once, and ends with its maximum', () => {
	const { pace, start, send, step } = drive(1);
	const run = start({ maxWaitMs: 100_000 });
	send(run, 'accepted');
	expect(step(run)).toMatchObject({ kind: 'wait', reason: 'limit' });
	expect(pace.waitForKey(run, START_MS + 50_000)).toMatchObject({ kind: 'wait' });
	send(run, 'accepted', {}, 60_001);
	const waited = (ms: number) => run.waited(START_MS + ms);
	expect(waited(60_001)).toEqual({ limit: 50_000, service: 0, key: 10_001 });
	const untilMs = START_MS + 60_001 + 39_999;
	expect(step(run, 60_001)).toMatchObject({ kind: 'wait', untilMs });
	expect(step(run, 100_000)).toMatchObject({ kind: 'end', reason: 'rateLimit' });
	expect(waited(200_000)).toEqual({ limit: 89_999, service: 0, key: 10_001 });
});

test('A request that the service refused is none of our own', () => {
	const quota = new Quota(10);
	const limit = new Limit(quota);
	limit.completed(limit.depart(START_MS), { verdict: 'limited' }, START_MS);
	expect(quota.ownRequests(START_MS)).toBe(0);
});

describe('The pace of an account and API', () => {
	const account = { host: 'https://api.example', identity: 'brand-1234567', api: 'push' };

	it('is shared by all executions of the process, and another one for any other of the three', () => {
		const pace = paceOf(account, 500);
		expect(paceOf({ ...account }, 500)).toBe(pace);
		for (const other of [{ host: 'https://other.example' }, { identity: 'x' }, { api: 'email' }])
			expect(paceOf({ ...account, ...other }, 500)).not.toBe(pace);
	});

	it('takes in a limit that was changed in the credential', () => {
		const pace = paceOf({ ...account, identity: 'limits' }, 500);
		paceOf({ ...account, identity: 'limits' }, 2);
		const run = pace.register(endless);
		const steps = [1, 2, 3].map(() => pace.mayLeave(run, START_MS).kind);
		expect(steps).toEqual(['send', 'send', 'wait']);
	});
});
