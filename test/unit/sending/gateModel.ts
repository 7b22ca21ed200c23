import fc from 'fast-check';

import type { Gate, Permission } from '../../../nodes/CustomerMessaging/sending/gate';
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
			fc.record({ statusCode: fc.constantFrom(200, 429), pauseMs: fc.integer({ min: 1, max: 5_000 }) }),
			{ maxLength: 40 },
		),
		(limit, history) => {
			const gate = make(limit);
			const turn = gate.join(1_000);
			let nowMs = 1_000_000 * MINUTE_MS;
			let acceptedMs: number[] = [];
			const attempt = (statusCode: number, afterMs: number): Permission => {
				nowMs += afterMs;
				const permission = gate.ask(turn, nowMs);
				if ('ticket' in permission) {
					gate.settle(permission.ticket, answer(statusCode), nowMs);
					if (statusCode === 200) acceptedMs.push(nowMs);
				}
				return permission;
			};
			// So many answers without a header that none is expected any more.
			for (let silent = 0; silent < 12; silent++) attempt(200, MINUTE_MS);
			for (const { statusCode, pauseMs } of history) attempt(statusCode, pauseMs);
			// If a refusal had shut the gate, the next request that it lets through opens it.
			let last = attempt(200, 1);
			while (!('ticket' in last)) last = attempt(200, last.askAgainAtMs - nowMs);
			acceptedMs = acceptedMs.filter((ms) => ms > nowMs - MINUTE_MS);
			let letGo = 0;
			while ('ticket' in gate.ask(turn, nowMs)) letGo++;
			expect(letGo).toBe(Math.max(0, limit - acceptedMs.length));
		},
	);
}
