import type { Reply } from '../../../nodes/CustomerMessaging/engine';
import { Limit } from '../../../nodes/CustomerMessaging/engine/pace/limit';
import { Pace } from '../../../nodes/CustomerMessaging/engine/pace/pace';
import { Quota } from '../../../nodes/CustomerMessaging/engine/pace/quota';
import { noJournal } from '../../../nodes/CustomerMessaging/engine/record/journal';
import { Sent } from '../../../nodes/CustomerMessaging/engine/record/sent';
import { identityFor } from '../../../nodes/CustomerMessaging/plan/identity';
import type { Run } from '../../../nodes/CustomerMessaging/run/resolveRun';
import { sendAll } from '../../../nodes/CustomerMessaging/sendAll';
import type { SentDelivery } from '../../../nodes/CustomerMessaging/shared/ending';
import { fakeN8n } from '../../../simulation/fakeN8n';
import { makeRun } from '../../../simulation/run';
import { VirtualClock } from '../../../simulation/virtualClock';

const START_MS = Date.parse('2026-03-02T09:00:00Z');
const answer = (statusCode: number): Reply => ({ kind: 'answer', statusCode, body: null });

interface Given {
	settings?: Partial<Run['settings']>;
	perMinute?: number;
	latencyMs?: number;
	journal?: Partial<typeof noJournal>;
	isRetry?: boolean;
	stop?: AbortSignal;
}

/** Sends pushes, two at a time, to a service that takes 100 ms for each. */
async function send(
	pushes: number,
	service: (index: number) => Promise<Reply> | Reply,
	{ settings, perMinute = 1e6, latencyMs = 100, journal, isRetry = false, stop }: Given = {},
) {
	const clock = new VirtualClock(START_MS);
	const lines: string[] = [];
	const n8n = {
		...fakeN8n(clock, async (body) => {
			await clock.sleep(latencyMs);
			const { index } = body as { index?: number };
			// A health check is refused as such.
			return index === undefined ? answer(400) : await service(index);
		}),
		log: (line: string) => void lines.push(line),
		...{ stop, cancelled: () => stop?.aborted ?? false },
	};
	const sent = new Sent<SentDelivery>(n8n, { operation: 'send' }, identityFor({}));
	if (journal) sent.openStore({ journal: { ...noJournal, ...journal }, isCutOff: false });
	const deliveries = Array.from({ length: pushes }, (_, itemIndex) => ({
		...{ itemIndex, path: '/api/v1/web/send' },
		buildBody: () => ({ index: itemIndex }),
	}));
	const account = { brandId: 'brand', secret: 'secret' };
	const run = makeRun('push', 'send', account, { concurrency: 2, ...settings });
	const report = await clock.run(
		sendAll({
			plan: { deliveries, leftOut: [], invalid: [], earlier: [], itemCount: pushes },
			run: { ...run, history: { ...run.history, isRetry } },
			...{ n8n, sent, pace: new Pace(new Limit(new Quota(perMinute))) },
		}),
		START_MS + 86_400_000,
	);
	const said = report.results.map(({ ending }) =>
		`${ending.kind} ${'code' in ending ? ending.code : ''}`.trim(),
	);
	return { report, said, lines, ms: clock.now() - START_MS };
}

const each = (times: number, said: string) => Array<string>(times).fill(said);
const accepts = () => answer(202);

test('A run pauses when the service fails, says so in the log, and goes on by one trial', async () => {
	const { report, said, lines } = await send(20, (index) => answer(index < 5 ? 503 : 202));
	expect(said).toEqual([...each(5, 'unknown'), ...each(15, 'accepted')]);
	expect(report.pausedMs).toBeGreaterThan(900);
	expect(lines).toEqual([
		'The push API fails, so sending pauses until it is back',
		'The push API is back, so sending goes on',
	]);
});

const wait = 'Waiting 1 min 0 s for the rate limit of the push API';
const soFar =
	'1199 of 1500 items done. The remaining 301 take about 15 s, until 2026-03-02T09:01:16.000+00:00';
const writeError = new Error('no connection');
const finish = async () => await Promise.resolve({ inDoubt: 2, writeError, isLocked: false });
const inDoubt = 'Could not store how 2 messages ended, so they stay in doubt: no connection';
test.each<[string, pushes: number, Given, lines: string[]]>([
	['tells each wait for the limit once', 5, { perMinute: 2 }, [wait, '3 of 5 items done', wait]],
	['says once a minute how far it is', 1_500, {}, [soFar]],
	['does not guess its end early', 8, { latencyMs: 20_000 }, ['5 of 8 items done']],
	['says which endings it could not store', 1, { journal: { finish } }, [inDoubt]],
])('A run %s', async (_, pushes, given, lines) => {
	expect((await send(pushes, accepts, given)).lines).toEqual(lines);
});

test('A run calls a message unknown that a later attempt only refused', async () => {
	let attempts = 0;
	const service = () => answer(++attempts === 1 ? 500 : 400);
	expect((await send(1, service, { settings: { retryUnknown: true } })).said).toEqual(['unknown']);
});

const never = async () => await new Promise<never>(() => undefined);

test('Stop ends a run soon, and calls unknown what is in flight and what waits to be sent again', async () => {
	const stop = new AbortController();
	const service = async (index: number) => {
		stop.abort();
		return index === 0 ? answer(500) : await never();
	};
	const given = { settings: { retryUnknown: true }, stop: stop.signal };
	const { said, ms } = await send(3, service, given);
	expect([said, ms]).toEqual([[...each(2, 'unknown'), 'notSent stopped'], 600]);
});

test('A run waits for a response no longer than its time, even if n8n does not end the request', async () => {
	const { said, ms } = await send(1, never, { settings: { requestTimeoutMs: 1_000 } });
	expect([said, ms]).toEqual([['unknown'], 3_000]);
});

test.each(['notSent', 'unknown'])('What could not be recorded is %s', async (kind) => {
	const claim = async () => await Promise.reject(new Error());
	const given = { journal: { claim }, isRetry: kind === 'unknown' };
	const { report, said } = await send(2, accepts, given);
	expect([said, report.requests]).toEqual([each(2, `${kind} notRecorded`), 0]);
});

test('A run says for which execution it waits', async () => {
	const journal: Given['journal'] = {
		claim: async (messages) => ({ claimed: [], known: new Map(), later: messages }),
		heldBy: () => '77',
	};
	const settings = { maxWaitMs: 5_000 };
	const { said, lines, ms } = await send(1, accepts, { journal, settings });
	expect([said, ms]).toEqual([['notSent keyInUse'], 5_000]);
	expect(lines).toEqual(['Waiting for execution 77, which is sending the same messages']);
});
