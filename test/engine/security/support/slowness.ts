import { Script } from 'node:vm';

import { attacksOn } from './attacks';
import type { Pattern } from './patterns';

/** So many texts are tried within one timeout, although a tenth of a second is enough. */
const group = 2_000;
/**
 * For the many repetitions, linear time is at most some 10 ms of processor time, and quadratic time at least
 * 200 ms.
 */
const script = new Script(`
	const [few, many, longest] = [3_000, 20_000, 100_000];
	function timeFor(count) {
		const [beginning, piece, end] = attack;
		const text = beginning + piece.repeat(count) + end;
		pattern.lastIndex = 0;
		const startedMs = usedMs();
		text.replace(pattern, '');
		return usedMs() - startedMs;
	}
	function isSlow() {
		// A short text is enough to clear most.
		if (timeFor(few) < 1) return false;
		const count = Math.min(many, Math.ceil(longest / attack[1].length));
		for (let tries = 0; tries < 2; tries++) if (timeFor(count) < 80) return false;
		return true;
	}
	for (attack of attacks) if (isSlow()) break;
	else attack = undefined;
`);

/** Processor time of this process, which other programs on a busy machine do not change. */
export function usedMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1_000;
}

/** A text for which an expression needs much more time than in proportion to its length. */
export function slowAttackOn(
	pattern: Pick<Pattern, 'source' | 'flags'>,
	timeout = 10_000,
): unknown {
	const attacks = attacksOn(pattern);
	for (let from = 0; from < attacks.length; from += group) {
		const context = {
			attacks: attacks.slice(from, from + group),
			attack: undefined as unknown,
			usedMs,
			// All places of a text are searched, as split() does too.
			pattern: new RegExp(pattern.source, [...new Set(`${pattern.flags}g`)].join('')),
		};
		// Unlike a timer, node:vm can interrupt an expression that backtracks endlessly.
		try {
			script.runInNewContext(context, { timeout });
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
		}
		if (context.attack) return context.attack;
	}
	return undefined;
}
