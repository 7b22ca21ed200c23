import { Limit } from '../../../../nodes/CustomerMessaging/engine/pace/limit';
import { Quota } from '../../../../nodes/CustomerMessaging/engine/pace/quota';
import { paceOf } from '../../../../nodes/CustomerMessaging/engine/pace/pace';
import { Drive, START_MS } from './support/drive';

describe('Before the service is known to work,', () => {
	it('later batches are whole and count as one failure each', () => {
		const drive = new Drive();
		const run = drive.register({ isBatch: true });
		drive.send(run, 'accepted', { rows: 10 });
		for (let failed = 0; failed < 3; failed++) drive.send(run, 'failed', { rows: 100 });
		expect(drive.step(run)).toMatchObject({ kind: 'send', maxRows: Infinity });
	});
});

describe('Sending pauses', () => {
	it.each(['brokenOff', 'declined', 'forbidden', 'notFound', 'unauthorized'] as const)(
		'neither for, nor is the count ended by, %s',
		(verdict) => {
			const drive = new Drive();
			const run = drive.register();
			drive.send(run, 'accepted');
			for (let row = 0; row < 3; row++) drive.send(run, 'failed');
			drive.send(drive.register(), verdict);
			expect(drive.step(run).kind).toBe('send');
			drive.send(run, 'failed');
			expect(drive.step(run).kind).toBe('wait');
		},
	);
});

describe('A run that is refused', () => {
	it('with 403 to a health check does not end a run with another key', () => {
		const drive = new Drive();
		const [run, other] = [drive.register({ key: 'old' }), drive.register({ key: 'right' })];
		drive.send(run, 'forbidden');
		drive.send(other, 'forbidden');
		drive.checkHealth(run, 'forbidden');
		expect(drive.step(run)).toEqual({ kind: 'end', reason: 'credentialsRefused' });
		drive.checkHealth(other, 'accepted');
		expect(drive.step(other).kind).toBe('send');
	});
});

describe('What a run waits', () => {
	it('adds up over limit, service and key, each second once, and ends with its maximum', () => {
		const drive = new Drive(1);
		const run = drive.register({ maxWaitMs: 100_000 });
		drive.send(run, 'accepted');
		expect(drive.step(run)).toMatchObject({ kind: 'wait', reason: 'limit' });
		drive.nowMs = 50_000;
		expect(drive.pace.waitForKey(run, START_MS + drive.nowMs)).toMatchObject({ kind: 'wait' });
		drive.nowMs = 60_001;
		drive.send(run, 'accepted');
		expect(run.waited(START_MS + drive.nowMs)).toEqual({ limit: 50_000, service: 0, key: 10_001 });
		expect(drive.step(run)).toMatchObject({ kind: 'wait', untilMs: 60_001 + 39_999 });
		drive.nowMs = 100_000;
		expect(drive.step(run)).toMatchObject({ kind: 'end', reason: 'rateLimit' });
		drive.nowMs = 200_000;
		expect(run.waited(START_MS + drive.nowMs)).toEqual({ limit: 89_999, service: 0, key: 10_001 });
	});
});

test('A request that the service refused is none of our own', () => {
	const quota = new Quota(10);
	const limit = new Limit(quota);
	limit.completed(limit.depart(START_MS), { verdict: 'limited' }, START_MS);
	expect(quota.ownRequests(START_MS)).toBe(0);
});

test('Others who have stopped take no places three minutes later', () => {
	const quota = new Quota(500);
	const send = (requests: number, others: number) => {
		for (let left = 500; requests > 0; requests--)
			quota.counted((left -= 1 + others), quota.depart(START_MS), START_MS);
	};
	send(120, 3);
	expect(quota.room(0, 0, START_MS)).toBeLessThan(10);
	for (let minutes = 0; minutes < 3; minutes++) send(450, 0);
	expect(quota.room(0, 0, START_MS)).toBeGreaterThan(40);
});

test('A limit of another kind is asked again after 1, 2, 4, 8 and then 15 s', () => {
	const limit = new Limit(new Quota(10));
	let nowMs = START_MS;
	for (const waitedMs of [1_000, 2_000, 4_000, 8_000, 15_000]) {
		limit.completed(limit.depart(nowMs), { verdict: 'limitedOtherwise', remaining: 5 }, nowMs);
		expect(limit.nextRoom(nowMs).untilMs).toBe((nowMs += waitedMs));
	}
});

describe('The pace of an account and API', () => {
	const account = { host: 'https://api.example', identity: 'brand-1234567', api: 'push' };
	const options = { concurrency: 5, size: 5, maxWaitMs: 0, isAwaited: false, wake: () => {} };

	it('is shared by all executions of the process, and another one for any other of the three', () => {
		const pace = paceOf(account, 500);
		expect(paceOf({ ...account }, 500)).toBe(pace);
		for (const other of [{ host: 'https://other.example' }, { identity: 'x' }, { api: 'email' }])
			expect(paceOf({ ...account, ...other }, 500)).not.toBe(pace);
	});

	it('is forgotten once 200 others were used, unless a run uses it', () => {
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
		const run = pace.register(options);
		const steps = [1, 2, 3].map(() => pace.mayLeave(run, START_MS).kind);
		expect(steps).toEqual(['send', 'send', 'wait']);
	});
});
