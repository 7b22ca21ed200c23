import fc from 'fast-check';

import { Gate, type Ticket } from '../../../nodes/CustomerMessaging/sending/gate';
import type { Reply } from '../../../nodes/CustomerMessaging/sending/types';
import { type Departure, Window } from '../../../nodes/CustomerMessaging/sending/window';
import { type GateMaker, isAsFastAsAllowed, sharesAProcess } from './bounds';
import { followsItsLog } from './gateModel';
import { alone, type Scene, together } from './worlds';

/** A mistake, and the property of pacing.test.ts or gate.test.ts that must notice it. */
async function isNoticed(
	scenes: fc.Arbitrary<Scene>,
	holds: (scene: Scene, make?: GateMaker) => Promise<void>,
	mistaken?: GateMaker,
) {
	const property = fc.asyncProperty(scenes, async (scene) => await holds(scene, mistaken));
	const { failed } = await fc.check(property, { numRuns: 500, seed: 20_260_101, endOnFailure: true });
	expect(failed).toBe(true);
}

class IgnoringInFlight extends Window {
	override room(_inFlight: number, reserve: number, nowMs: number): number {
		return super.room(0, reserve, nowMs);
	}
}

class InOrderOfArrival extends Window {
	override isNewest(_departure: Departure): boolean {
		return true;
	}
}

class CountingRefusals extends Gate {
	constructor(
		limit: number,
		random: () => number,
		private readonly log = new Window(limit),
	) {
		super(limit, random, log);
	}

	override settle(ticket: Ticket, reply: Reply, nowMs: number): void {
		if (reply.kind === 'answer' && reply.statusCode === 429) this.log.count(nowMs);
		super.settle(ticket, reply, nowMs);
	}
}

const manyWindows = { min: 14, max: 15 };
const limit = { min: 50, max: 70 };

describe('mistakes that the properties of pacing notice', () => {
	it('ignoring what is in flight', async () => {
		await isNoticed(
			alone({ windows: manyWindows, limit }),
			isAsFastAsAllowed,
			(perMinute, random) => new Gate(perMinute, random, new IgnoringInFlight(perMinute)),
		);
	});

	it('crediting headers in order of arrival', async () => {
		await isNoticed(
			alone({ windows: manyWindows, limit, concurrency: { min: 20, max: 30 } }),
			isAsFastAsAllowed,
			(perMinute, random) => new Gate(perMinute, random, new InOrderOfArrival(perMinute)),
		);
	});

	it('keeping the state inside execute(): a gate for each run', async () => {
		await isNoticed(together(5, (run) => run, limit), sharesAProcess);
	});

	it('counting refusals into our own log', () => {
		const { failed } = fc.check(
			followsItsLog((perMinute) => new CountingRefusals(perMinute, () => 0.5)),
			{ numRuns: 500, seed: 20_260_101 },
		);
		expect(failed).toBe(true);
	});
});
