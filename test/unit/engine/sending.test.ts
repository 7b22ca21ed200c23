import type { Reply } from '../../../nodes/CustomerMessaging/engine';
import { Limit } from '../../../nodes/CustomerMessaging/engine/pace/limit';
import { Pace } from '../../../nodes/CustomerMessaging/engine/pace/pace';
import { Quota } from '../../../nodes/CustomerMessaging/engine/pace/quota';
import { Policy } from '../../../nodes/CustomerMessaging/engine/policy';
import { noJournal } from '../../../nodes/CustomerMessaging/engine/record/journal';
import { RanAgain } from '../../../nodes/CustomerMessaging/engine/record/marks';
import { Sent } from '../../../nodes/CustomerMessaging/engine/record/sent';
import { deliver } from '../../../nodes/CustomerMessaging/engine/sending';
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
type Options = Parameters<typeof deliver<Row, Row>>[1];
type Given = Partial<Pick<Options, 'cancelled' | 'isRetry' | 'stop' | 'stopsOnFailure'>> & {
	rows?: number;
	limits?: Partial<Options['limits']>;
	retryUnknown?: boolean;
	perMinute?: number;
	journal?: Partial<typeof noJournal>;
};

/** Sends rows, three by default, to a service that takes 100 ms for each. */
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
	const policy = new Policy({ retryUnknown: given.retryUnknown ?? false });
	const wire: Options['wire'] = {
		laneOf: () => undefined,
		groupOf: () => '',
		bodyBytes: () => 1,
		elementBytes: () => 1,
		hasPassed: () => false,
		write: () => Buffer.from(''),
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
	const options: Options = {
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
	const ended = await clock.run(deliver(rows, options), START_MS + 86_400_000);
	const { results } = ended;
	const said = results.map(({ ending: { kind, code = '' } }) => `${kind} ${code}`.trim());
	return { ended, said, results, left, lines, checks, ms: clock.now() - START_MS };
}

const never: Service = async () => await new Promise(() => undefined);
const each = (times: number, said: string) => Array<string>(times).fill(said);

test('A run sends each message once, as many at a time as may be in flight', async () => {
	const { ended, said, left } = await send(() => accepted);
	expect(said).toEqual(each(3, 'accepted'));
	expect(left.map((one) => one.join(' at '))).toEqual(['0 at 0', '1 at 0', '2 at 100']);
	expect(ended).toMatchObject({ requests: 3, pausedMs: 0, isLocked: true });
});

test('A run does not send what is left once it has waited for as long as it may', async () => {
	const limits = { maxWaitMs: 5_000 };
	const { ended, said } = await send(() => accepted, { perMinute: 2, limits });
	expect(said).toEqual([...each(2, 'accepted'), 'notSent rateLimit']);
	// A minute after the first message was accepted.
	expect(ended.rest.values).toEqual({ retryAt: String(START_MS + 60_100) });
});

test('A run calls a message unknown that a later attempt only refused', async () => {
	const service: Service = (_, attempt) => answer(attempt === 1 ? 500 : 400);
	const { said } = await send(service, { rows: 1, retryUnknown: true });
	expect(said).toEqual(['unknown']);
});

test('A run pauses when the service fails, checks its health, and goes on by one trial', async () => {
	const service: Service = ({ itemIndex }) => answer(itemIndex < 5 ? 503 : 202);
	const { said, lines, checks, ended } = await send(service, { rows: 20 });
	expect(said).toEqual([...each(5, 'unknown'), ...each(15, 'accepted')]);
	expect(checks).toBeGreaterThan(0);
	expect(ended.pausedMs).toBeGreaterThan(900);
	expect(lines).toEqual([
		'The push API fails, so sending pauses until it is back',
		'The push API is back, so sending goes on',
	]);
});

test('A run ends with the first failure where that stops the workflow', async () => {
	const service: Service = ({ itemIndex }) => answer(itemIndex === 1 ? 400 : 202);
	const { said } = await send(service, { rows: 4, stopsOnFailure: true });
	expect(said).toEqual(['accepted', 'rejected', ...each(2, 'notSent stopped')]);
});

test('A run ends shortly after Stop, and calls messages in flight unknown', async () => {
	const stop = new AbortController();
	const service: Service = async (...request) => {
		stop.abort();
		return await never(...request);
	};
	const { signal } = stop;
	const { said, ms } = await send(service, { cancelled: () => signal.aborted, stop: signal });
	expect(said).toEqual([...each(2, 'unknown'), 'notSent stopped']);
	expect(ms).toBe(600);
});

test('A run waits for a response no longer than its time', async () => {
	const { said, ms } = await send(never, { rows: 1 });
	expect([said, ms]).toEqual([['unknown'], 3_000]);
});

const lost = new Error('no connection');

test.each<[string, Error, Given, said: string]>([
	['could not be recorded', lost, {}, 'notSent'],
	['could not be recorded in a retry', lost, { isRetry: true }, 'unknown'],
	['an earlier run of the same execution may have sent', new RanAgain(), {}, 'notSent'],
])('A run sends nothing that %s', async (_, error, given, said) => {
	const claim = async () => await Promise.reject(error);
	const run = await send(() => accepted, { ...given, journal: { claim } });
	expect([run.said, run.left]).toEqual([each(3, `${said} notRecorded`), []]);
	expect(run.ended.ranAgain).toBe(error !== lost);
});

test('A run says which endings it could not store', async () => {
	const finish = async () =>
		await Promise.resolve({ inDoubt: 2, writeError: lost, isLocked: false });
	const { lines, ended } = await send(() => accepted, { journal: { finish } });
	const why = 'Could not store how 2 messages ended, so they stay in doubt: no connection';
	expect([lines, ended.isLocked]).toEqual([[why], false]);
});

test('A run waits for messages that another one sends, and then skips them', async () => {
	const journal: Given['journal'] = {
		claim: async (messages) => ({ claimed: [], known: new Map(), later: messages }),
		heldBy: () => '77',
	};
	const { said, lines, ms } = await send(() => accepted, { limits: { maxWaitMs: 5_000 }, journal });
	expect(said).toEqual(each(3, 'notSent keyInUse'));
	expect(lines).toEqual(['Waiting for execution 77, which is sending the same messages']);
	expect(ms).toBe(5_000);
});
