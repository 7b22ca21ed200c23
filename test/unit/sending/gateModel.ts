import fc from 'fast-check';

import type { Gate } from '../../../nodes/CustomerMessaging/sending/gate';
import type { Reply } from '../../../nodes/CustomerMessaging/sending/types';

const MINUTE_MS = 60_000;
const answer = (statusCode: number): Reply => ({ kind: 'answer', statusCode, body: null });

/**
 * Without headers, what a gate lets go at once is the limit less our own accepted requests of the
 * last 60 s. The histories: sends that were accepted or refused, and pauses.
 */
export function followsItsLog(make: (limit: number) => Gate) {
	return fc.property(
		fc.integer({ min: 1, max: 19 }),
		fc.array(
			fc.record({ statusCode: fc.constantFrom(200, 429), pauseMs: fc.integer({ min: 1, max: 30_000 }) }),
			{ maxLength: 40 },
		),
		(limit, history) => {
			const gate = make(limit);
			const turn = gate.join(1_000);
			let nowMs = 1_000_000 * MINUTE_MS;
			let acceptedMs: number[] = [];
			for (const { statusCode, pauseMs } of history) {
				nowMs += pauseMs;
				const permission = gate.ask(turn, nowMs);
				if (!('ticket' in permission)) continue;
				gate.settle(permission.ticket, answer(statusCode), nowMs);
				if (statusCode === 200) acceptedMs.push(nowMs);
			}
			// An accepted request after the longest back-off opens the gate, if a refusal had shut it.
			for (let passed = 0; passed < 12; passed++) {
				nowMs += 16_000;
				const permission = gate.ask(turn, nowMs);
				if (!('ticket' in permission)) continue;
				gate.settle(permission.ticket, answer(200), nowMs);
				acceptedMs.push(nowMs);
			}
			acceptedMs = acceptedMs.filter((ms) => ms > nowMs - MINUTE_MS);
			let letGo = 0;
			while ('ticket' in gate.ask(turn, nowMs)) letGo++;
			expect(letGo).toBe(Math.max(0, limit - acceptedMs.length));
		},
	);
}
