import type { Reply } from '../../../nodes/CustomerMessaging/engine';
import { Outcomes } from '../../../nodes/CustomerMessaging/engine/outcomes';
import { Limit } from '../../../nodes/CustomerMessaging/engine/pace/limit';
import { Pace } from '../../../nodes/CustomerMessaging/engine/pace/pace';
import { Quota } from '../../../nodes/CustomerMessaging/engine/pace/quota';
import { Policy } from '../../../nodes/CustomerMessaging/engine/policy';
import { noJournal, refusingJournal } from '../../../nodes/CustomerMessaging/engine/record/journal';
import { RanAgain } from '../../../nodes/CustomerMessaging/engine/record/marks';
import { Sent } from '../../../nodes/CustomerMessaging/engine/record/sent';
import { Sending, type SendOptions } from '../../../nodes/CustomerMessaging/engine/sending';
import { VirtualClock } from '../../../simulation/virtualClock';

interface Row {
	itemIndex: number;
}

/** Ten seconds after a full minute. */
const START_MS = 1_000_000 * 60_000 + 10_000;
const answer = (statusCode: number, more: object = {}): Reply => ({
	...{ kind: 'answer', statusCode, body: null, ...more },
});
const accepted = answer(202);

type Service = (row: Row, attempt: number) => Promise<Reply> | Reply;
type Given = Partial<
	Pick<SendOptions<Row, Row>, 'cancelled' | 'isRetry' | 'stop' | 'stopsOnFailure'>
> & {
	rows?: number;
	limits?: Partial<SendOptions<Row, Row>['limits']>;
	policy?: ConstructorParameters<typeof Policy>[0];
	perMinute?: number;
	writes?: () => Buffer;
	hasPassed?: (row: Row) => boolean;
	journal?: Partial<typeof noJournal>;
};

/** Sends rows to a service that takes 100 ms for each, and tells how each ended and what was logged. */
async function send(service: Service, given: Given = {}) {
	const clock = new VirtualClock(START_MS);
	const rows = Array.from({ length: given.rows ?? 3 }, (_, itemIndex) => ({ itemIndex }));
	const attempts = new Map<Row, number>();
	/** The item of each request, and when it left. */
	const left: Array<[item: number, ms: number]> = [];
	const lines: string[] = [];
	let checks = 0;
	const memory = { context: {}, runIndex: 0, execution: '1' };
	const cancelled = given.cancelled ?? (() => false);
	const stopsOnFailure = given.stopsOnFailure ?? false;
	const sent = new Sent<Row>(
		{ memory: () => memory, isTool: false, maxTries: 1, cancelled, stopsOnFailure },
		{ operation: 'send' },
		{
			placeOf: ({ itemIndex }) => `#${itemIndex}`,
			memoryKey: ({ itemIndex }) => `#${itemIndex} x`,
			counts: () => true,
		},
	);
	if (given.journal)
		sent.openStore({ journal: { ...noJournal, ...given.journal }, isCutOff: false });
	const policy = new Policy(given.policy ?? { retryUnknown: false });
	const wire: SendOptions<Row, Row>['wire'] = {
		laneOf: () => undefined,
		groupOf: () => '',
		bodyBytes: () => 1,
		elementBytes: () => 1,
		hasPassed: given.hasPassed ?? (() => false),
		write: given.writes ?? (() => Buffer.from('')),
		async post(row) {
			const attempt = (attempts.get(row) ?? 0) + 1;
			attempts.set(row, attempt);
			left.push([row.itemIndex, clock.now() - START_MS]);
			await clock.sleep(100);
			return await service(row, attempt);
		},
		decidedTime: () => undefined,
		checkHealth() {
			checks++;
			return { reply: clock.sleep(100).then(() => answer(400)), isOfLimit: true };
		},
	};
	const options: SendOptions<Row, Row> = {
		...{ clock, now: () => clock.now(), cancelled, stopsOnFailure, wire, policy, sent },
		stop: given.stop,
		untilStopped: async (work) => await work,
		log: (line) => void lines.push(line),
		pace: new Pace(new Limit(new Quota(given.perMinute ?? 1_000_000))),
		limits: {
			...{ maxMessages: Infinity, concurrency: 2, requestTimeoutMs: 1_000, maxWaitMs: Infinity },
			...{ isAwaited: false, key: 'key', ...given.limits },
		},
		...{ api: 'push', writeTime: String, isRetry: given.isRetry ?? false, random: () => 0 },
	};
	const outcomes = new Outcomes<Row, Row>(sent, wire, policy, clock);
	const sending = new Sending(rows, new Map(), options, outcomes);
	const ended = await clock.run(sending.run(), START_MS + 86_400_000);
	const results = outcomes.resultsOf(rows, { ending: ended.rest, attempts: 0 });
	const said = results.map(({ ending: { kind, code = '' } }) => `${kind} ${code}`.trim());
	return { ended, said, results, left, lines, checks: () => checks, ms: clock.now() - START_MS };
}

const items = (left: Array<[number, number]>) => left.map(([item]) => item);

test('Sends each message once, as many at a time as may be in flight', async () => {
	const { ended, said, left } = await send(() => accepted);
	expect(said).toEqual(['accepted', 'accepted', 'accepted']);
	expect(left).toEqual([
		[0, 0],
		[1, 0],
		[2, 100],
	]);
	expect(ended).toMatchObject({ requests: 3, waitedMs: 0, pausedMs: 0, isLocked: true });
});

test('Waits for the minute of the service, and says how long', async () => {
	const { ended, said, left } = await send(() => accepted, { perMinute: 2 });
	expect(said).toEqual(Array(3).fill('accepted'));
	expect(left.at(-1)?.[1]).toBeGreaterThan(49_000);
	expect(ended.waitedMs).toBeGreaterThan(49_000);
});

test('Does not send what is left once it has waited for as long as it may', async () => {
	const limits = { maxWaitMs: 5_000 };
	const { ended, said } = await send(() => accepted, { perMinute: 2, limits });
	expect(said).toEqual(['accepted', 'accepted', 'notSent rateLimit']);
	// A minute after the first message was accepted.
	expect(ended.rest.values).toEqual({ retryAt: String(START_MS + 60_100) });
});

test('Sends again where no connection was established, and counts the attempts', async () => {
	const refused: Reply = { kind: 'failure', code: 'ECONNREFUSED', message: 'x' };
	const { results, left } = await send((_, attempt) => (attempt < 3 ? refused : accepted), {
		rows: 1,
	});
	expect(left.map(([, ms]) => ms)).toEqual([0, 1_100, 3_200]);
	expect(results).toMatchObject([{ ending: { kind: 'accepted' }, attempts: 3 }]);
});

test('Calls a message unknown that a later attempt only refused', async () => {
	const policy = { retryUnknown: true };
	const service: Service = (_, attempt) => answer(attempt === 1 ? 500 : 400);
	const { said } = await send(service, { rows: 1, policy });
	expect(said).toEqual(['unknown']);
});

test('Halves a batch that is refused, to find the message at fault', async () => {
	const policy = { retryUnknown: false, batchSize: 4 };
	// The first message of a batch stands for all of it.
	let calls = 0;
	const service: Service = () => answer([400, 202, 400, 202, 400][calls++] ?? 500);
	const { said, left } = await send(service, { rows: 4, policy, limits: { concurrency: 1 } });
	expect(items(left)).toEqual([0, 0, 2, 2, 3]);
	expect(said).toEqual(['accepted', 'accepted', 'accepted', 'rejected']);
});

test('Gives up a message that is answered 429 for itself alone three times', async () => {
	const limited = answer(429, { remaining: 900 });
	const service: Service = ({ itemIndex }) =>
		itemIndex === 5 ? limited : answer(202, { remaining: 900 });
	const { said, left } = await send(service, { rows: 60, limits: { concurrency: 1 } });
	expect(said.filter((one) => one !== 'accepted')).toEqual(['notSent rateLimit']);
	expect(items(left).filter((item) => item === 5).length).toBeGreaterThanOrEqual(3);
});

test('Pauses when the service fails, checks its health, and goes on by one trial', async () => {
	const { said, lines, checks, ended } = await send(
		({ itemIndex }) => answer(itemIndex < 5 ? 503 : 202),
		{ rows: 20 },
	);
	expect(said.filter((one) => one === 'accepted')).toHaveLength(15);
	expect(said.slice(0, 5)).toEqual(Array(5).fill('unknown'));
	expect(checks()).toBeGreaterThan(0);
	expect(ended.pausedMs).toBeGreaterThan(900);
	expect(lines).toEqual([
		'The push API fails, so sending pauses until it is back',
		'The push API is back, so sending goes on',
	]);
});

test('Ends with the first refusal of the key', async () => {
	const { said, left } = await send(() => answer(401), { rows: 5 });
	expect(items(left)).toEqual([0, 1]);
	expect(said.slice(0, 3)).toEqual(['rejected', 'rejected', 'notSent credentialsRefused']);
});

test('Quotes the answer by which it ended, if the service declines all', async () => {
	const { ended } = await send(() => answer(200, { body: { success: false } }), { rows: 30 });
	expect(ended.rest).toMatchObject({
		...{ code: 'serviceUnavailable', values: { message: '{"success":false}' } },
	});
});

describe('Ends', () => {
	test('with the first failure where that stops the workflow', async () => {
		const service: Service = ({ itemIndex }) => answer(itemIndex === 1 ? 400 : 202);
		const { said } = await send(service, { rows: 4, stopsOnFailure: true });
		expect(said).toEqual(['accepted', 'rejected', 'notSent stopped', 'notSent stopped']);
	});

	test('once as many messages have left as may', async () => {
		const { said } = await send(() => accepted, { limits: { maxMessages: 2 } });
		expect(said).toEqual(['accepted', 'accepted', 'notSent maxMessages']);
	});

	test('shortly after Stop, and calls messages in flight unknown', async () => {
		const stop = new AbortController();
		const service: Service = async () => {
			stop.abort();
			return await new Promise(() => undefined);
		};
		const { signal } = stop;
		const cancelled = () => signal.aborted;
		const { said, results, ms } = await send(service, { cancelled, stop: signal });
		expect(said).toEqual(['unknown', 'unknown', 'notSent stopped']);
		expect(results[0]?.ending.values).toMatchObject({ code: 'STOPPED' });
		expect(ms).toBe(600);
	});
});

test('Waits for a response no longer than its time', async () => {
	const { said, results, ms } = await send(async () => await new Promise(() => undefined), {
		rows: 1,
	});
	expect(said).toEqual(['unknown']);
	expect(results[0]?.ending.values).toMatchObject({ code: 'ETIMEDOUT' });
	expect(ms).toBe(3_000);
});

test('Withholds a request that cannot be written, or whose time has passed', async () => {
	const broken = () => {
		throw new Error('broken');
	};
	const { said, left, lines, ended } = await send(() => accepted, { rows: 1, writes: broken });
	expect([said, left, ended.requests]).toEqual([['notSent internalError'], [], 0]);
	expect(lines).toEqual([expect.stringMatching(/^Internal error in this node withheld/)]);
	const hasPassed = ({ itemIndex }: Row) => itemIndex === 1;
	const passed = await send(() => accepted, { hasPassed });
	expect(passed.said).toEqual(['accepted', 'notSent schedulePassed', 'accepted']);
});

describe('With a journal', () => {
	test.each([
		['not sent', false, 'notSent notRecorded'],
		['unknown in a retry', true, 'unknown notRecorded'],
	])('messages that could not be recorded are %s', async (_, isRetry, said) => {
		const claim = async () => await Promise.reject(new Error('no connection'));
		const failed = await send(() => accepted, { isRetry, journal: { claim } });
		expect([failed.said, failed.left]).toEqual([Array(3).fill(said), []]);
		expect(failed.ended.ranAgain).toBe(false);
		const refused = await send(() => accepted, { isRetry, journal: refusingJournal('unreadable') });
		expect([refused.said, refused.left]).toEqual([Array(3).fill(said), []]);
	});

	test('an execution that runs again sends nothing', async () => {
		const claim = async () => await Promise.reject(new RanAgain());
		const { ended, left } = await send(() => accepted, { journal: { claim } });
		expect([ended.ranAgain, left]).toEqual([true, []]);
	});

	test('messages that another run sends are waited for, and then skipped', async () => {
		const journal: Given['journal'] = {
			claim: async (messages) => ({ claimed: [], known: new Map(), later: messages }),
			heldBy: () => '77',
		};
		const limits = { maxWaitMs: 5_000 };
		const { said, lines, ms } = await send(() => accepted, { limits, journal });
		expect(said).toEqual(Array(3).fill('notSent keyInUse'));
		expect(lines).toEqual(['Waiting for execution 77, which is sending the same messages']);
		expect(ms).toBe(5_000);
	});

	test('it says which endings it could not store', async () => {
		const writeError = new Error('no connection');
		const finish = async () => await Promise.resolve({ inDoubt: 2, writeError, isLocked: false });
		const { lines, ended } = await send(() => accepted, { journal: { finish } });
		const why = 'Could not store how 2 messages ended, so they stay in doubt: no connection';
		expect([lines, ended.isLocked]).toEqual([[why], false]);
	});
});
