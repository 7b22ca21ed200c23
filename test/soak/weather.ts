import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, Sandbox } from '../../sandbox/index';
import { pick, type Random } from './story';

const CALM_MS = [3_000, 15_000] as const;
const STORM_MS = [2_000, 8_000] as const;

/** Alternates between minutes in which all goes well and seconds in which requests fail in some way. */
export async function changeWeather(sandbox: Sandbox, random: Random, signal: AbortSignal) {
	const between = ([least, most]: readonly [number, number]) => least + random() * (most - least);
	const pause = async (range: readonly [number, number]) =>
		await sleep(between(range), undefined, { signal }).catch(() => undefined);
	while (!signal.aborted) {
		sandbox.configure({ latencyMs: [10, pick(random, [50, 200, 800])] });
		await pause(CALM_MS);
		if (signal.aborted) break;
		if (random() < 0.2) {
			// Another program with the same key.
			sandbox.spend(pick(random, ['push', 'email', 'sms', 'event']), Math.ceil(random() * 200));
		} else {
			sandbox.faults.add(randomFault(random));
		}
		await pause(STORM_MS);
		sandbox.faults.clear();
	}
	sandbox.faults.clear();
}

function randomFault(random: Random): Fault {
	const probability = 0.02 + random() * 0.3;
	const howOften = { probability, seed: Math.floor(random() * 1_000_000) };
	const status = pick(random, [500, 502, 503, 504]);
	return pick<Fault>(random, [
		{ kind: 'resetBeforeAccept', ...howOften },
		{ kind: 'resetAfterAccept', ...howOften },
		{ kind: 'status', status, ...howOften },
		{ kind: 'status', status: 400, ...howOften },
		{ kind: 'statusAfterAccept', status, ...howOften },
		{ kind: 'hang', accepted: random() < 0.5, ...howOften },
		// Not accepted and with status 200, it would look like the service, whose reference shows no responses.
		{ kind: 'html', accepted: true, ...howOften },
		{ kind: 'delay', delayMs: Math.round(random() * 8_000), ...howOften },
	]);
}
