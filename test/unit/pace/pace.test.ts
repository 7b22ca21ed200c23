import { Limit, Quota } from '../../../nodes/CustomerMessaging/pace/limit';
import { paceOf } from '../../../nodes/CustomerMessaging/pace/pace';
import { MINUTE_MS } from '../../../nodes/CustomerMessaging/shared/apis';
import { Drive, START_MS } from './support/drive';

const HOUR_MS = 60 * MINUTE_MS;

describe('Before the service is known to work,', () => {
	it('ten messages may be in flight over all runs, and two more for each success', () => {
		const drive = new Drive();
		const [one, other] = [drive.register(), drive.register()];
		const [first, second, third] = drive.free(one);
		expect(drive.free(other)).toHaveLength(0);
		if (!first || !second || !third) throw new Error('Too few');
		// The first run asks no more, so it no longer holds up the other one.
		drive.nowMs = 2_000;
		drive.end(first, 'success');
		expect(drive.free(other)).toHaveLength(3);
		drive.end(second, 'none', { limit: 'refused' });
		drive.end(third, 'notFound');
		drive.nowMs = 60_000;
		expect(drive.free(other)).toHaveLength(1);
	});

	it('the first batch carries ten rows and leaves alone, and its rows begin a pause', () => {
		const drive = new Drive();
		const run = drive.register({ isBatch: true });
		const step = drive.step(run);
		if (step.kind !== 'send') throw new Error(step.kind);
		expect(step.maxRows).toBe(10);
		expect(drive.step(run).kind).toBe('wait');
		drive.end(step.permit, 'failure', { rows: 4 });
		drive.nowMs = 1_000;
		drive.checkHealth(run, 'success');
		expect(drive.step(run)).toMatchObject({ kind: 'send', isTrial: true, maxRows: 1 });
	});

	it('later batches are whole and count as one failure each', () => {
		const drive = new Drive();
		const run = drive.register({ isBatch: true });
		drive.send(run, 'success', { rows: 10 });
		for (let failed = 0; failed < 3; failed++) drive.send(run, 'failure', { rows: 100 });
		expect(drive.step(run)).toMatchObject({ kind: 'send', maxRows: Infinity });
	});
});

describe('Sending pauses', () => {
	it.each(['failure', 'webPage', 'unknownHost'] as const)(
		'when messages of four different rows ended with %s',
		(sign) => {
			const drive = new Drive();
			const run = drive.register();
			drive.send(run, 'success');
			const row = {};
			drive.send(run, sign, { row });
			drive.send(run, sign, { row });
			drive.send(run, sign);
			drive.send(run, sign);
			drive.send(run, 'none');
			expect(drive.step(run).kind).toBe('send');
			drive.send(run, sign);
			expect(drive.step(run)).toEqual({ kind: 'wait', untilMs: 1_000, reason: 'service' });
		},
	);

	it.each(['none', 'declined', 'forbidden', 'notFound', 'unauthorized'] as const)(
		'neither for, nor is the count ended by, %s',
		(sign) => {
			const drive = new Drive();
			const run = drive.register();
			drive.send(run, 'success');
			for (let row = 0; row < 3; row++) drive.send(run, 'failure');
			drive.send(drive.register(), sign);
			expect(drive.step(run).kind).toBe('send');
			drive.send(run, 'failure');
			expect(drive.step(run).kind).toBe('wait');
		},
	);
});

describe('While it pauses, the health check', () => {
	it.each(['none', 'webPage', 'unknownHost'] as const)('is not answered by %s', (sign) => {
		const drive = new Drive();
		const run = drive.register();
		drive.fail(run);
		drive.nowMs = 1_000;
		drive.checkHealth(run, sign);
		expect(drive.step(drive.register())).toEqual({
			kind: 'wait',
			untilMs: 2_000,
			reason: 'service',
		});
	});

	it('waits as long as Retry-After says, up to five minutes, and the end says all of it', () => {
		const drive = new Drive();
		const run = drive.register({ maxWaitMs: 4 * MINUTE_MS });
		drive.fail(run, { retryAfterMs: HOUR_MS });
		expect(drive.step(run)).toEqual({
			kind: 'end',
			reason: 'serviceUnavailable',
			retryAtMs: HOUR_MS,
		});
		expect(drive.step(drive.register())).toMatchObject({ untilMs: 5 * MINUTE_MS });
	});

	it('takes a place of the rate limit', () => {
		const drive = new Drive(4);
		const run = drive.register();
		drive.fail(run);
		drive.nowMs = 1_000;
		expect(drive.step(run)).toMatchObject({ kind: 'wait', reason: 'limit' });
	});
});

describe('When the health check is answered,', () => {
	function answered() {
		const drive = new Drive();
		const run = drive.register();
		drive.fail(run);
		drive.nowMs = 1_000;
		drive.checkHealth(run, 'success');
		return { drive, run };
	}

	it('one message is tried at a time, and with its success sending goes on with one in flight', () => {
		const { drive, run } = answered();
		const step = drive.step(run);
		if (step.kind !== 'send') throw new Error(step.kind);
		expect(step.isTrial).toBe(true);
		expect(drive.free(drive.register())).toHaveLength(0);
		drive.nowMs = 3_000;
		drive.end(step.permit, 'success');
		const [next, ...more] = drive.free(run);
		expect(more).toHaveLength(0);
		if (!next) throw new Error('None');
		drive.end(next, 'success');
		expect(drive.free(run)).toHaveLength(3);
	});

	it('another one is tried if the first was refused', () => {
		const { drive, run } = answered();
		drive.send(run, 'none', { limit: 'notCounted' });
		drive.send(run, 'notFound');
		expect(drive.step(run)).toMatchObject({ kind: 'send', isTrial: true });
	});
});

describe('A run that is refused', () => {
	it('with 403 to a health check does not end a run with another key', () => {
		const drive = new Drive();
		const [run, other] = [drive.register({ key: 'old' }), drive.register({ key: 'right' })];
		drive.send(run, 'forbidden');
		drive.send(other, 'forbidden');
		drive.checkHealth(run, 'forbidden');
		expect(drive.step(run)).toEqual({ kind: 'end', reason: 'credentialsRefused' });
		drive.checkHealth(other, 'success');
		expect(drive.step(other).kind).toBe('send');
	});

	it('goes on if another message of it succeeds, or if the health check gets another answer', () => {
		const drive = new Drive();
		const run = drive.register();
		const [one, other] = [drive.permit(run), drive.permit(run)];
		drive.end(one, 'notFound');
		drive.end(other, 'success');
		expect(drive.step(run).kind).toBe('send');
		const second = drive.register();
		drive.send(second, 'notFound');
		drive.checkHealth(second, 'forbidden');
		expect(drive.step(second).kind).toBe('send');
	});

	it('asks once more after ten refusals in a row, and never ends once it had a success', () => {
		const drive = new Drive();
		const run = drive.register();
		drive.send(run, 'success');
		for (let row = 0; row < 10; row++) drive.send(run, 'notFound');
		drive.checkHealth(run, 'notFound');
		for (let row = 0; row < 10; row++) drive.send(run, 'notFound');
		expect(drive.step(run).kind).toBe('send');
	});
});

describe('What a run waits', () => {
	it('adds up over limit, service and key, each second once, and ends with its maximum', () => {
		const drive = new Drive(1);
		const run = drive.register({ maxWaitMs: 100_000 });
		drive.send(run, 'success');
		expect(drive.step(run)).toMatchObject({ kind: 'wait', reason: 'limit' });
		drive.nowMs = 50_000;
		expect(drive.pace.waitForKey(run, START_MS + drive.nowMs)).toMatchObject({ kind: 'wait' });
		drive.nowMs = 60_001;
		drive.send(run, 'success');
		expect(run.waited(START_MS + drive.nowMs)).toEqual({ limit: 50_000, service: 0, key: 10_001 });
		expect(drive.step(run)).toMatchObject({ kind: 'wait', untilMs: 60_001 + 39_999 });
		drive.nowMs = 100_000;
		expect(drive.step(run)).toMatchObject({ kind: 'end', reason: 'rateLimit' });
		drive.nowMs = 200_000;
		expect(run.waited(START_MS + drive.nowMs)).toEqual({ limit: 89_999, service: 0, key: 10_001 });
	});

	it('for a key ends the run too', () => {
		const drive = new Drive();
		const run = drive.register({ maxWaitMs: 1_000 });
		const at = (ms: number) => drive.pace.waitForKey(run, START_MS + ms);
		expect(at(0)).toEqual({ kind: 'wait', untilMs: START_MS + 1_000, reason: 'key' });
		expect(at(1_000)).toEqual({ kind: 'end', reason: 'keyInUse' });
	});

	it('does not count while it has messages in flight', () => {
		const drive = new Drive();
		const run = drive.register({ maxWaitMs: 1_000 });
		const slow = drive.permit(run);
		drive.fail(run);
		for (drive.nowMs of [0, 500]) expect(drive.step(run).kind).toBe('wait');
		expect(run.waited(START_MS + 900)).toEqual({ limit: 0, service: 0, key: 0 });
		drive.end(slow, 'failure');
		expect(drive.step(run)).toMatchObject({ kind: 'wait', reason: 'service' });
	});
});

describe('The rate limit', () => {
	it('does not count what the service refused', () => {
		const quota = new Quota(10);
		const limit = new Limit(quota);
		limit.completed(limit.depart(START_MS), { limit: 'counted' }, START_MS);
		limit.completed(limit.depart(START_MS), { limit: 'refused' }, START_MS);
		expect(quota.ownRequests(START_MS)).toBe(1);
	});

	it('waits as long as Retry-After says, up to five minutes, and the end says all of it', () => {
		const drive = new Drive();
		const run = drive.register({ maxWaitMs: MINUTE_MS });
		drive.send(run, 'none', { limit: 'refused', retryAfterMs: HOUR_MS });
		expect(drive.step(run)).toEqual({ kind: 'end', reason: 'rateLimit', retryAtMs: HOUR_MS });
		expect(drive.step(drive.register())).toMatchObject({ untilMs: 5 * MINUTE_MS });
	});

	it('believes the lowest header of requests in flight together, and none that left earlier', () => {
		const drive = new Drive(500);
		const run = drive.register();
		const [first, second, third] = drive.free(run);
		if (!first || !second || !third) throw new Error('Too few');
		drive.end(second, 'success', { remaining: 290 });
		drive.end(third, 'success', { remaining: 292 });
		expect(drive.pace.remaining(START_MS)).toBe(290);
		drive.end(first, 'success', { remaining: 289 });
		expect(drive.pace.remaining(START_MS)).toBe(289);
		drive.send(run, 'success', { remaining: 280 });
		expect(drive.pace.remaining(START_MS + MINUTE_MS)).toBeNull();
	});

	it('stays blocked after a 429 when a response in flight has a header that cannot be right', () => {
		const drive = new Drive(50);
		const run = drive.register();
		drive.send(run, 'success', { remaining: 20 });
		for (let sent = 0; sent < 8; sent++) drive.send(run, 'success');
		const [late, refused] = drive.free(run);
		if (!late || !refused) throw new Error('Too few');
		drive.end(refused, 'none', { limit: 'refused' });
		drive.end(late, 'success', { remaining: 20 });
		expect(drive.step(run)).toMatchObject({ kind: 'wait', untilMs: 50_000 });
	});

	it('lets a run that has waited longest go first, and does not let one that stopped asking hold up others', () => {
		const drive = new Drive(1);
		const [one, other] = [drive.register(), drive.register()];
		drive.send(one, 'success');
		expect(drive.step(other).kind).toBe('wait');
		expect(drive.step(one).kind).toBe('wait');
		drive.nowMs = MINUTE_MS - 1;
		expect(drive.step(other).kind).toBe('wait');
		drive.nowMs = MINUTE_MS;
		expect(drive.step(one).kind).toBe('wait');
		drive.nowMs = MINUTE_MS + 1_001;
		expect(drive.step(one).kind).toBe('send');
	});

	it('takes back the permits of a run that ends, also that of the probe', () => {
		const drive = new Drive();
		const [run, other] = [drive.register(), drive.register()];
		drive.send(run, 'none', { limit: 'refused', retryAfterMs: 0 });
		const probe = drive.permit(run);
		expect(drive.step(other).kind).toBe('wait');
		drive.pace.unregister(run, START_MS);
		drive.end(probe, 'success', { remaining: 5 });
		expect(drive.pace.remaining(START_MS)).not.toBe(5);
		expect(drive.step(other).kind).toBe('send');
	});

	it('wakes a waiting run when a response arrives, and all when a health check does', () => {
		const drive = new Drive(1);
		let woken = 0;
		const run = drive.register();
		const permit = drive.permit(run);
		const waiting = drive.register({ wake: () => woken++ });
		drive.step(waiting);
		drive.end(permit, 'success', { remaining: 3 });
		expect(woken).toBeGreaterThan(0);
	});

	it('lets all of a small run leave although a large run keeps sending', () => {
		const drive = new Drive(100);
		const [large, small] = [drive.register({ size: 10_000 }), drive.register({ size: 1 })];
		for (let sent = 0; sent < 95; sent++) drive.send(large, 'success');
		expect(drive.step(large).kind).toBe('wait');
		expect(drive.step(small).kind).toBe('send');
	});
});

describe('The pace of an account and API', () => {
	const account = { host: 'https://api.example', identity: 'brand-1234567', api: 'push' };

	it('is shared by all executions of the process, and another one for any other of the three', () => {
		const pace = paceOf(account, 500);
		expect(paceOf({ ...account }, 500)).toBe(pace);
		for (const other of [{ host: 'https://other.example' }, { identity: 'x' }, { api: 'email' }])
			expect(paceOf({ ...account, ...other }, 500)).not.toBe(pace);
	});

	it('is not that of another account whose host and identity read the same when joined', () => {
		const pace = paceOf({ ...account, host: 'ab', identity: 'c' }, 500);
		expect(paceOf({ ...account, host: 'a', identity: 'bc' }, 500)).not.toBe(pace);
	});

	it('is forgotten once 200 others were used, unless a run uses it', () => {
		const options = { concurrency: 5, size: 5, maxWaitMs: 0, isAwaited: false, wake: () => {} };
		const [used, idle] = [paceOf(account, 500), paceOf({ ...account, api: 'sms' }, 500)];
		const run = used.register(options);
		for (let index = 0; index < 198; index++) paceOf({ ...account, identity: `${index}` }, 500);
		expect(paceOf({ ...account, api: 'sms' }, 500)).toBe(idle);
		for (let index = 0; index < 200; index++) paceOf({ ...account, identity: `${index}` }, 500);
		expect(paceOf(account, 500)).toBe(used);
		expect(paceOf({ ...account, api: 'sms' }, 500)).not.toBe(idle);
		used.unregister(run, START_MS);
	});

	it('takes in a limit that was changed in the credential', () => {
		const pace = paceOf({ ...account, identity: 'limits' }, 500);
		paceOf({ ...account, identity: 'limits' }, 2);
		const options = { concurrency: 5, size: 5, maxWaitMs: 0, isAwaited: false, wake: () => {} };
		const run = pace.register(options);
		const steps = [1, 2, 3].map(() => pace.mayLeave(run, START_MS).kind);
		expect(steps).toEqual(['send', 'send', 'wait']);
	});
});
