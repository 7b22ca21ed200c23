import { writeHints } from '../../../nodes/CustomerMessaging/report/hints';
import type { Plan } from '../../../nodes/CustomerMessaging/plan/plan';
import type { Run } from '../../../nodes/CustomerMessaging/run/resolveRun';
import type { RunReport } from '../../../nodes/CustomerMessaging/shared/result';
import { VirtualClock } from '../../../simulation/virtualClock';
import {
	accepted,
	deliveryOf,
	notSent,
	operationOf,
	preview,
	rejected,
	runOf,
	sent,
	skipped,
	unknown,
} from './support/results';

const nowMs = Date.UTC(2026, 10, 1);
const zone = 'Europe/Berlin';
const push = runOf('push', 'send');
const broadcast = runOf('push', 'broadcastAll');
const byHand = { isRetry: false, wasInterrupted: false, startedByHand: true };

async function hintsOf(
	run: Run,
	report: Partial<RunReport> = {},
	plan: Partial<Plan> = {},
): Promise<string[]> {
	const hints = await writeHints(
		run,
		{ deliveries: [], ...plan },
		{ results: [], requests: 0, waitedMs: 0, remaining: null, ...report },
		new VirtualClock(nowMs),
	);
	return hints.map(({ message }) => message);
}

describe('A run that sends', () => {
	it('has no hints if all is as usual', async () => {
		const report = { results: [sent(0, accepted()), sent(1, rejected())], remaining: 10 };
		expect(await hintsOf(push, report, { deliveries: [deliveryOf(0)] })).toEqual([]);
	});

	it('puts warnings before all else, and shows text as text', async () => {
		const hints = await writeHints(
			push,
			{ deliveries: [] },
			{
				results: [skipped(0, 'unknown')],
				requests: 0,
				waitedMs: 0,
				remaining: null,
				warning: '<The list is long>',
			},
			new VirtualClock(nowMs),
		);
		expect(hints.map(({ type, location }) => [type, location])).toEqual([
			['warning', 'outputPane'],
			['info', 'outputPane'],
		]);
		expect(hints[1]?.message).toBe('&lt;The list is long>. What is left then is not sent');
	});

	it('says how long it waited if it was a minute or more', async () => {
		expect(await hintsOf(push, { waitedMs: 59_999, pausedMs: 59_999 })).toEqual([]);
		expect(await hintsOf(push, { waitedMs: 90_000, pausedMs: 60_000 })).toEqual([
			'Waited 1 min 30 s for the rate limit',
			'Waited 1 min 0 s for the service, which failed',
		]);
		expect(await hintsOf(push, { waitedMs: 60_000, remaining: 1 })).toEqual([
			'Waited 1 min 0 s for the rate limit; 1 call left this minute',
		]);
		expect(await hintsOf(push, { waitedMs: 60_000, remaining: 0 })).toEqual([
			'Waited 1 min 0 s for the rate limit; 0 calls left this minute',
		]);
	});

	it('says that several workers are not kept apart', async () => {
		expect(await hintsOf(push, { isUnlocked: false })).toEqual([]);
		expect(await hintsOf(push, { isUnlocked: true })).toEqual([
			"Send Once cannot keep workers of n8n apart here, because another node uses the same row of n8n's database. With several workers, two of them may send the same message at the same moment. Set the scope of each Remove Duplicates node of this workflow to 'Node', and clear its history.",
		]);
	});

	it('counts what Send Once skipped', async () => {
		const [hint] = await hintsOf(push, { results: [skipped(0)] });
		expect(hint).toContain('Send Once: 1 message was skipped');
	});
});

describe('A run by hand', () => {
	const audience = 'everyone';

	it('names the broadcasts that it sent to real people', async () => {
		const results = [
			sent(0, accepted(), { audience, platform: 'web' }),
			sent(1, accepted(), { audience, platform: 'web' }),
			sent(2, accepted(), { audience: 'segment 42' }),
			sent(3, rejected(), { audience: 'segment 43' }),
			sent(4, accepted()),
		];
		const [hint] = await hintsOf({ ...broadcast, history: byHand }, { results });
		expect(hint).toBe(
			"This run by hand sent 3 broadcasts to real people: everyone on web, segment 42. To try out without sending, set 'When Run by Hand' to Show Only.",
		);
		expect(await hintsOf(broadcast, { results })).toEqual([]);
		expect(
			await hintsOf({ ...broadcast, history: byHand }, { results: results.slice(3, 5) }),
		).toEqual([]);
	});

	it('says that it only shows what it would send', async () => {
		const shows = { isPreview: true, isTestRun: true };
		expect(await hintsOf({ ...broadcast, ...shows })).toEqual([
			"Nothing was sent: a broadcast that is started by hand in the editor only shows what it would send. Started by its trigger, the workflow sends. To send from the editor too, set 'When Run by Hand' to Send.",
		]);
		const [hint] = await hintsOf({ ...push, ...shows });
		expect(hint).toContain('Nothing was sent: a message that is started by hand');
	});

	it('says that messages to a campaign were not sent', async () => {
		expect(await hintsOf(push, {}, { shown: [deliveryOf(0)] })).toEqual([
			"Not sent: 1 message to a campaign, which may reach many people. A run that is started by hand in the editor only shows it. To send from the editor too, set 'When Run by Hand' to Send.",
		]);
		const [hint] = await hintsOf(push, {}, { shown: [deliveryOf(0), deliveryOf(1)] });
		expect(hint).toContain('Not sent: 2 messages to a campaign');
		expect(hint).toContain('only shows them.');
	});

	it('says who got the test', async () => {
		const testRecipient = {
			operation: operationOf('push', 'send'),
			key: 'user_id',
			value: 'me',
			fields: {},
		};
		const results = [sent(0, accepted(), { test: { changes: ['Sent to the test recipient'] } })];
		expect(await hintsOf({ ...broadcast, isPreview: true, testRecipient }, { results })).toEqual([
			'Test sent to me. Nobody else got it. Started by its trigger, the workflow sends to everyone it is meant for.',
			'The test differs from the real message: Sent to the test recipient.',
		]);
	});
});

describe('A preview', () => {
	const previewOnly = { ...push, isPreview: true };

	it.each([
		[1, undefined],
		[500, 'Preview: 500 requests in all.'],
		[1_501, 'Preview: 1501 requests in all, to be sent in about 3 min at 500 per minute.'],
	])('says that nothing was sent, and how long %i requests would take', async (requests, hint) => {
		const [nothingSent, size] = await hintsOf(previewOnly, { results: [preview(0)], requests });
		expect([nothingSent, size]).toEqual(["Nothing was sent: 'Preview Only' is on.", hint]);
	});

	it('says if sending would take longer than the run may wait', async () => {
		const hints = await hintsOf(previewOnly, { results: [preview(0)], requests: 100_000 });
		expect(hints.slice(1)).toEqual([
			'Preview: 100000 requests in all, to be sent in about 199 min at 500 per minute.',
			"100000 requests at 500 per minute wait for the rate limit for at least 198 min, but 'Max Wait' allows 60 min. Raise 'Max Wait' under Options, or send the list in parts with Loop Over Items",
		]);
	});

	it('looks at emails and SMS that are only shown too, but not at those that are sent', async () => {
		const sms = runOf('sms', 'send');
		const one = deliveryOf(0, { buildBody: () => ({ message: 'Hello' }) });
		const parts = '1 SMS in 1 part. Each part is charged.';
		expect(await hintsOf({ ...sms, isPreview: true }, {}, { deliveries: [one] })).toContain(parts);
		expect(await hintsOf(sms, {}, { deliveries: [], shown: [one] })).toContain(
			`Not sent: ${parts}`,
		);
		expect(await hintsOf(sms, {}, { deliveries: [one] })).toEqual([]);

		const email = runOf('email', 'send');
		const long = deliveryOf(0, { buildBody: () => ({ content: 'x'.repeat(102_001) }) });
		const large = expect.stringContaining('1 email has a content of 103 kB') as string;
		expect(await hintsOf({ ...email, isPreview: true }, {}, { deliveries: [long] })).toContainEqual(
			large,
		);
		expect(await hintsOf(email, {}, { deliveries: [], shown: [long] })).toContainEqual(large);
		expect(await hintsOf(email, {}, { deliveries: [long] })).toEqual([]);
	});
});

describe('A hint about times', () => {
	const at = (hint?: string) =>
		deliveryOf(0, { schedule: { kind: 'at', instantMs: nowMs, zone, hint } });

	it('is given once for the same time', async () => {
		const deliveries = [at('02:30 comes twice'), at(), at('02:30 comes twice'), deliveryOf(1)];
		expect(await hintsOf(push, {}, { deliveries })).toEqual(['02:30 comes twice']);
	});

	it('is one of five, and the others are counted', async () => {
		const hints = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
		const of = async (number: number) =>
			await hintsOf(push, {}, { deliveries: hints.slice(0, number).map(at) });
		expect(await of(5)).toEqual(['a', 'b', 'c', 'd', 'e']);
		expect(await of(6)).toEqual(['a', 'b', 'c', 'd', 'e', '1 more hint of this kind']);
		expect(await of(7)).toEqual(['a', 'b', 'c', 'd', 'e', '2 more hints of this kind']);
	});
});

describe('A hint about the same broadcast in several items', () => {
	const toAll = { audience: 'everyone', platform: 'web' as const };
	const news = (itemIndex: number, title = 'News', given = {}) =>
		deliveryOf(itemIndex, { ...toAll, buildBody: () => ({ title }), ...given });
	const same = (items: string) =>
		`Items ${items} are the same broadcast to everyone on web. To send it once, give the node a single item`;

	it('names the items', async () => {
		const deliveries = [news(0), news(1, 'Sale'), news(2), news(3, 'Sale'), news(4, 'Other')];
		expect(await hintsOf(broadcast, {}, { deliveries })).toEqual([same('0, 2'), same('1, 3')]);
	});

	it('is not given if they differ in text, path or time, or go to one person', async () => {
		const deliveries = [
			news(0),
			news(1, 'Sale'),
			news(2, 'News', { path: '/other' }),
			news(3, 'News', { schedule: { kind: 'delay', seconds: 60 } }),
			news(4, 'News', { audience: undefined }),
			news(5, 'News', { audience: undefined }),
		];
		expect(await hintsOf(broadcast, {}, { deliveries })).toEqual([]);
	});
});

describe('A run that ended early', () => {
	const retryAt = '2026-11-01T01:00:00.000+01:00';

	it('says when another try is worth it', async () => {
		const one = sent(0, notSent('rateLimit', { retryAt }));
		const others = [sent(1, notSent('stopped')), sent(2, unknown()), sent(3, accepted())];
		expect(await hintsOf(push, { results: [one, ...others] })).toEqual([
			`1 item was not sent. It is worth trying again at ${retryAt}. Then retry the execution: it sends only what was not sent`,
		]);
		const [hint] = await hintsOf(push, { results: [...others, one, one] });
		expect(hint).toBe(
			`2 items were not sent. It is worth trying again at ${retryAt}. Then retry the execution: it sends only what was not sent`,
		);
	});

	it('says that the service refuses all', async () => {
		const results = [sent(0, notSent('credentialsRefused')), sent(1, notSent('stopped'))];
		expect(await hintsOf(push, { results })).toEqual([
			'1 item was not sent, because the service refuses the credentials or the address. Test the credential, then retry the execution: it sends only what was not sent',
		]);
		const [hint] = await hintsOf(push, {
			results: [...results, sent(2, notSent('addressRefused'))],
		});
		expect(hint).toContain('2 items were not sent, because the service refuses');
	});
});

describe('Hints about the input', () => {
	it('come from the same messages and from the data', async () => {
		const one = deliveryOf(0, { to: { user_id: 'C-1' } });
		const other = deliveryOf(1, { to: { user_id: 'C-1' } });
		expect(await hintsOf(push, {}, { sameMessages: [[one, other]] })).toEqual([
			"1 message is the same as an earlier one of this run to the same recipient: 'C-1' (items 0–1). To send it only once, turn on 'Send Once', or place a Remove Duplicates node before this one",
		]);
		const users = [0, 1].map((item) => deliveryOf(item, { userID: 'C-1' }));
		expect(await hintsOf(runOf('user', 'create'), {}, { deliveries: users })).toEqual([
			"1 user ID occurs more than once: 'C-1' (items 0–1). Their rows are sent in the order of the input, so the values of the last row remain",
		]);
	});
});
