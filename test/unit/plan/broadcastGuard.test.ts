import {
	type BroadcastMemory,
	type BroadcastScope,
	countBroadcasts,
	tooManyBroadcasts,
	uncountUndelivered,
} from '../../../nodes/CustomerMessaging/plan/broadcastGuard';
import type { Body, Delivery } from '../../../nodes/CustomerMessaging/shared/delivery';
import type { Outcome } from '../../../nodes/CustomerMessaging/shared/outcome';
import type { Result } from '../../../nodes/CustomerMessaging/shared/result';

function broadcast(to: Body, audience: string, platform?: Delivery['platform']): Delivery {
	return { itemIndex: 0, path: '/', buildBody: () => ({}), to, audience, platform };
}

const vip = { segment_id: 42 };
const toAll = broadcast({ audience: 'everyone' }, 'everyone');
const toSegment = broadcast(vip, 'segment VIP customers (ID 42)', 'web');
/** How broadcasts to everyone are counted. */
const everyone = '{"audience":"everyone"}';

function sent(delivery: Delivery, outcome: Outcome['outcome']): Result {
	return { kind: 'sent', delivery, outcome: { outcome } as Outcome };
}

/** Counts the broadcasts unless there are too many. */
function admit(deliveries: Delivery[], maxBroadcasts: number, where: Partial<BroadcastScope>) {
	const scope = { context: {}, runIndex: 0, ...where };
	const problem = tooManyBroadcasts(deliveries, maxBroadcasts, scope);
	if (!problem) countBroadcasts(deliveries, scope);
	return problem;
}

describe('The guard of broadcasts', () => {
	test('allows as many to one audience as the user has set', () => {
		const context: BroadcastMemory = {};
		expect(admit([toAll, toAll], 2, { context, runIndex: 0 })).toBeUndefined();
		expect(context).toEqual({ broadcasts: { runIndex: 0, before: {}, now: { [everyone]: 2 } } });
	});

	test('refuses one more, says how many there would be, and counts nothing', () => {
		const context: BroadcastMemory = {};
		expect(admit([toAll, toSegment, toSegment], 1, { context, runIndex: 0 })).toEqual({
			field: 'maxBroadcasts',
			message:
				"This would make 2 broadcasts to segment VIP customers (ID 42) on web in one execution, and 'Max Broadcasts' allows 1. Turn on 'Execute Once' in the node's Settings, or raise 'Max Broadcasts'",
		});
		expect(context).toEqual({});
	});

	test('counts each audience and platform by itself', () => {
		const context: BroadcastMemory = {};
		const all = [
			toAll,
			toSegment,
			broadcast(vip, 'segment VIP customers (ID 42)', 'ios'),
			broadcast({ segment_id: 43 }, 'segment 43', 'web'),
		];
		expect(admit(all, 1, { context, runIndex: 0 })).toBeUndefined();
		expect(context.broadcasts?.now).toEqual({
			[everyone]: 1,
			'{"segment_id":42,"platform":"web"}': 1,
			'{"segment_id":42,"platform":"ios"}': 1,
			'{"segment_id":43,"platform":"web"}': 1,
		});
	});

	test('counts a segment by its ID, also if it was renamed between two runs', () => {
		const context: BroadcastMemory = {};
		expect(admit([toSegment], 1, { context, runIndex: 0 })).toBeUndefined();
		const renamed = broadcast(vip, 'segment Best customers (ID 42)', 'web');
		expect(admit([renamed], 1, { context, runIndex: 1 })?.message).toContain(
			'2 broadcasts to segment Best customers (ID 42) on web',
		);
	});

	test('counts earlier runs of the same execution', () => {
		const context: BroadcastMemory = {};
		for (const runIndex of [0, 1, 2]) {
			expect(admit([toAll], 3, { context, runIndex })).toBeUndefined();
		}
		expect(context.broadcasts).toEqual({
			runIndex: 2,
			before: { [everyone]: 2 },
			now: { [everyone]: 1 },
		});
		expect(admit([toAll], 3, { context, runIndex: 3 })?.message).toContain(
			'4 broadcasts to everyone',
		);
	});

	test('counts a repeated try of the same run once', () => {
		const context: BroadcastMemory = {};
		admit([toAll], 2, { context, runIndex: 0 });
		for (let tries = 0; tries < 3; tries++) {
			expect(admit([toAll], 2, { context, runIndex: 1 })).toBeUndefined();
		}
		expect(context.broadcasts?.before).toEqual({ [everyone]: 1 });
		expect(admit([toAll], 2, { context, runIndex: 2 })).toBeDefined();
	});
});

describe('A broadcast is counted no longer if it', () => {
	function left(results: Result[], now = { [everyone]: 2 }): unknown {
		const context: BroadcastMemory = { broadcasts: { runIndex: 0, before: {}, now } };
		uncountUndelivered(results, { context, runIndex: 0 });
		return context.broadcasts?.now;
	}

	test.each(['rejected', 'notSent'] as const)('was surely not delivered: %s', (outcome) => {
		expect(left([sent(toAll, outcome)])).toEqual({ [everyone]: 1 });
	});

	test('was skipped because it had been sent before', () => {
		const skipped: Result = {
			kind: 'skipped',
			delivery: toAll,
			reason: 'sentBefore',
			earlierOutcome: 'accepted',
		};
		expect(left([skipped])).toEqual({ [everyone]: 1 });
	});

	test('was not delivered twice over, but never less than zero times', () => {
		const refused = sent(toAll, 'rejected');
		expect(left([refused, refused, refused])).toEqual({ [everyone]: 0 });
		expect(left([sent(toSegment, 'rejected')])).toEqual({
			[everyone]: 2,
			'{"segment_id":42,"platform":"web"}': 0,
		});
	});
});

describe('A broadcast stays counted if', () => {
	test.each<[string, Result]>([
		['it was accepted', sent(toAll, 'accepted')],
		['it may have been delivered', sent(toAll, 'unknown')],
		['its row was invalid', { kind: 'invalid', itemIndex: 0, problems: [] }],
		['it was shown only', { kind: 'preview', delivery: toAll, url: '', body: {} }],
	])('%s', (_why, result) => {
		const context: BroadcastMemory = {
			broadcasts: { runIndex: 0, before: {}, now: { [everyone]: 1 } },
		};
		uncountUndelivered([result], { context, runIndex: 0 });
		expect(context.broadcasts?.now).toEqual({ [everyone]: 1 });
	});

	test('nothing was counted before', () => {
		const context: BroadcastMemory = {};
		uncountUndelivered([sent(toAll, 'rejected')], { context, runIndex: 0 });
		expect(context).toEqual({});
	});
});

test('What was counted for a run that is refused later can be taken back', () => {
	const context: BroadcastMemory = {};
	const scope = { context, runIndex: 0 };
	countBroadcasts([toAll], scope)();
	expect(context.broadcasts).toMatchObject({ before: {}, now: {} });

	countBroadcasts([toAll], scope);
	const earlier = context.broadcasts;
	countBroadcasts([toAll, toSegment], { ...scope, runIndex: 1 })();
	expect(context.broadcasts).toEqual(earlier);
});

test('A message to a single person changes no count, also if it was refused', () => {
	const context: BroadcastMemory = {
		broadcasts: { runIndex: 0, before: {}, now: { [everyone]: 1 } },
	};
	const toOne: Delivery = { itemIndex: 0, path: '/', buildBody: () => ({}) };
	uncountUndelivered([sent(toOne, 'rejected')], { context, runIndex: 0 });
	expect(context.broadcasts?.now).toEqual({ [everyone]: 1 });
});
