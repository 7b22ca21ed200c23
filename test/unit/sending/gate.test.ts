import fc from 'fast-check';

import {
	Gate,
	type Permission,
	type Ticket,
	type Turn,
} from '../../../nodes/CustomerMessaging/sending/gate';
import type { Reply } from '../../../nodes/CustomerMessaging/sending/types';
import { followsItsLog } from './gateModel';

const MINUTE_MS = 60_000;
const START_MS = 1_000_000 * MINUTE_MS + 10_000;

const ok = (remaining?: number, dateMs?: number): Reply => ({
	kind: 'answer',
	statusCode: 200,
	body: null,
	remaining,
	dateMs,
});
const refusal: Reply = { kind: 'answer', statusCode: 429, body: null };

function ticketOf(permission: Permission): Ticket {
	if (!('ticket' in permission)) throw new Error(`Refused: ${permission.reason}`);
	return permission.ticket;
}

function letGo(gate: Gate, turn: Turn, nowMs: number): Ticket[] {
	const tickets: Ticket[] = [];
	for (;;) {
		const permission = gate.ask(turn, nowMs);
		if (!('ticket' in permission)) return tickets;
		tickets.push(permission.ticket);
	}
}

describe('the gate', () => {
	it('lets at most `concurrency` of a run be in flight', () => {
		const gate = new Gate(500);
		const turn = gate.join(3);
		const tickets = letGo(gate, turn, START_MS);
		expect(tickets).toHaveLength(3);
		expect(gate.ask(turn, START_MS)).toMatchObject({ reason: 'concurrency' });
		for (const ticket of tickets) gate.settle(ticket, ok(490), START_MS + 50);
		expect(letGo(gate, turn, START_MS + 50)).toHaveLength(3);
	});

	it('leaves room for what is in flight when the header tells what remains', () => {
		const gate = new Gate(500);
		const turn = gate.join(15, undefined, 30);
		const [first, ...others] = letGo(gate, turn, START_MS);
		if (first === undefined) throw new Error('Nothing was let go');
		for (const ticket of others) gate.settle(ticket, ok(10), START_MS + 50);
		expect(letGo(gate, turn, START_MS + 50)).toHaveLength(9);
	});

	it('ignores the header of a request that was overtaken by a later one', () => {
		const gate = new Gate(500);
		const turn = gate.join(2);
		const earlier = ticketOf(gate.ask(turn, START_MS));
		const later = ticketOf(gate.ask(turn, START_MS + 1));
		gate.settle(later, ok(499), START_MS + 100);
		gate.settle(earlier, ok(0), START_MS + 200);
		expect(gate.remaining(START_MS + 200)).toBe(499);
		expect(letGo(gate, turn, START_MS + 200)).toHaveLength(2);
	});

	it('tries an exhausted window with one request, and opens when it passes', () => {
		const gate = new Gate(500);
		const turn = gate.join(10);
		gate.settle(ticketOf(gate.ask(turn, START_MS)), ok(0, START_MS), START_MS);
		const refused = gate.ask(turn, START_MS);
		expect(refused).toMatchObject({ reason: 'limit', askAgainAtMs: START_MS + 2_000 });
		const [probe, ...others] = letGo(gate, turn, START_MS + 2_000);
		expect(others).toHaveLength(0);
		if (probe === undefined) throw new Error('No probe');
		gate.settle(probe, ok(499), START_MS + 2_100);
		expect(letGo(gate, turn, START_MS + 2_100)).toHaveLength(10);
	});

	it('backs off 1, 2, 4, 8 and at most 15 s when its probes are refused', () => {
		const gate = new Gate(500, () => 1);
		const turn = gate.join(10);
		let nowMs = START_MS;
		gate.settle(ticketOf(gate.ask(turn, nowMs)), refusal, nowMs);
		const waitedMs: number[] = [];
		for (let probe = 0; probe < 9; probe++) {
			const permission = gate.ask(turn, nowMs);
			if ('ticket' in permission) throw new Error('Not shut');
			waitedMs.push(permission.askAgainAtMs - nowMs);
			nowMs = permission.askAgainAtMs;
			gate.settle(ticketOf(gate.ask(turn, nowMs)), refusal, nowMs);
		}
		// First the pace at which places come free; the guesses cut in where they are due.
		expect(waitedMs).toEqual([120, 1_000, 2_000, 2_000, 8_000, 15_000, 15_000, 6_880, 15_000]);
	});

	it('tries the next full minute of the service, by its Date header', () => {
		const gate = new Gate(500, () => 1);
		const turn = gate.join(10);
		// Ten seconds past the minute here are thirty-five there.
		const [first] = letGo(gate, turn, START_MS);
		if (first === undefined) throw new Error('Nothing was let go');
		gate.settle(first, ok(0, START_MS + 25_000), START_MS);
		const refill = ticketOf(gate.ask(turn, START_MS + 2_000));
		gate.settle(refill, refusal, START_MS + 24_500);
		// The back-off would be 1 s, but their full minute comes first.
		expect(gate.ask(turn, START_MS + 24_500)).toMatchObject({ askAgainAtMs: START_MS + 25_000 });
	});

	it('follows its own log of the last 60 s where no header comes', () => {
		fc.assert(followsItsLog((limit) => new Gate(limit, () => 0.5)), {
			numRuns: 500,
			seed: 20_260_101,
		});
	});

	it('keeps 5 % back from a large run, and lets the first 20 sends of another have them', () => {
		const gate = new Gate(500);
		const large = gate.join(1_000);
		const begun = letGo(gate, large, START_MS);
		expect(begun).toHaveLength(475);
		const small = gate.join(1_000);
		expect(letGo(gate, small, START_MS)).toHaveLength(20);
	});

	it('does not keep back the last of a run whose size it knows', () => {
		const gate = new Gate(500);
		const run = gate.join(1_000, undefined, 500);
		expect(letGo(gate, run, START_MS)).toHaveLength(500);
	});

	it('lets waiting runs go in turn', () => {
		const gate = new Gate(500);
		const turns = ['a', 'b', 'c'].map((name) => ({ name, turn: gate.join(100) }));
		const holder = gate.join(1);
		gate.settle(ticketOf(gate.ask(holder, START_MS)), ok(0), START_MS);
		for (const { turn } of turns) expect(gate.ask(turn, START_MS)).toMatchObject({ reason: 'limit' });
		const probe = ticketOf(gate.ask(holder, START_MS + 3_000));
		gate.settle(probe, ok(7), START_MS + 3_000);
		const order: string[] = [];
		for (let round = 0; round < 20; round++) {
			for (const { name, turn } of [...turns].reverse()) {
				if ('ticket' in gate.ask(turn, START_MS + 3_000)) order.push(name);
			}
		}
		expect(order).toHaveLength(7);
		for (const { name } of turns) {
			expect(order.filter((other) => other === name).length).toBeGreaterThanOrEqual(2);
		}
	});

	it('wakes those who wait when an answer comes', () => {
		const gate = new Gate(500);
		let woken = 0;
		const waiting = gate.join(10, () => woken++);
		const other = gate.join(1);
		gate.settle(ticketOf(gate.ask(other, START_MS)), ok(0), START_MS);
		expect(gate.ask(waiting, START_MS)).toMatchObject({ reason: 'limit' });
		expect(woken).toBe(0);
		gate.settle(ticketOf(gate.ask(other, START_MS + 3_000)), ok(7), START_MS + 3_000);
		expect(woken).toBeGreaterThan(0);
	});

	it('gets back what a run still held when it left, the probe among it', () => {
		const gate = new Gate(500);
		const leaving = gate.join(10);
		gate.settle(ticketOf(gate.ask(leaving, START_MS)), ok(0), START_MS);
		ticketOf(gate.ask(leaving, START_MS + 2_000));
		const other = gate.join(10);
		expect(gate.ask(other, START_MS + 2_000)).toMatchObject({ reason: 'limit' });
		gate.leave(leaving);
		expect('ticket' in gate.ask(other, START_MS + 2_000)).toBe(true);
		expect(gate.inUse).toBe(true);
		gate.leave(other);
		expect(gate.inUse).toBe(false);
	});

	it('takes in an answer once, and none that comes after its run has left', () => {
		const gate = new Gate(500);
		const turn = gate.join(10);
		const ticket = ticketOf(gate.ask(turn, START_MS));
		gate.settle(ticket, ok(400), START_MS);
		gate.settle(ticket, ok(0), START_MS);
		const late = ticketOf(gate.ask(turn, START_MS));
		gate.leave(turn);
		gate.settle(late, ok(0), START_MS);
		expect(gate.remaining(START_MS)).toBe(400);
	});

	it('sends one ahead to look when the last header is some seconds old', () => {
		const gate = new Gate(500);
		const turn = gate.join(10);
		gate.settle(ticketOf(gate.ask(turn, START_MS)), ok(100), START_MS);
		const [scout, ...others] = letGo(gate, turn, START_MS + 5_000);
		expect(others).toHaveLength(0);
		if (scout === undefined) throw new Error('No scout');
		gate.settle(scout, ok(99), START_MS + 5_100);
		expect(letGo(gate, turn, START_MS + 5_100)).toHaveLength(10);
	});

	it('forgets what a header said after a minute', () => {
		const gate = new Gate(500);
		const turn = gate.join(10);
		gate.settle(ticketOf(gate.ask(turn, START_MS)), ok(100), START_MS);
		expect(gate.remaining(START_MS + 59_999)).toBe(100);
		expect(gate.remaining(START_MS + 60_000)).toBeNull();
		expect(new Gate(500).remaining(START_MS)).toBeNull();
	});
});
