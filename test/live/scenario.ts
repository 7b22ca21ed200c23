import type { Bench } from './bench';
import type { CrashableBench } from './crashable';

/**
 * - everywhere: in these, n8n versions differ most
 * - newest: everything else but the next ones
 * - nightly: they start n8n again or wait, which takes a while, as others do
 * - as n8n 3: on the newest n8n with the settings of n8n 3
 */
type Where = 'everywhere' | 'newest' | 'nightly' | 'as n8n 3';

interface Scenario {
	title: string;
	where: Where;
	play: (bench: CrashableBench) => Promise<void>;
	/** It mostly waits, for a service of its own, so it is played beside others. */
	waits: boolean;
}

/** All of `scenarios/`, once they are imported. */
export const scenarios: Scenario[] = [];

/** Adds a scenario, which other suites can play too. */
export function scenario(title: string, where: Where, play: (bench: Bench) => Promise<void>) {
	scenarios.push({ title, where, play, waits: false });
	return play;
}

/** In it, n8n is killed or its log is read. */
export function crashScenario(title: string, where: Where, play: Scenario['play']): void {
	scenarios.push({ title, where, play, waits: false });
}

export function waitingScenario(title: string, where: Where, play: Scenario['play']): void {
	scenarios.push({ title, where, play, waits: true });
}
