import type { CrashableBench } from './crashable';

type Play = (bench: CrashableBench) => Promise<void>;
type Where = 'everywhere' | 'newest' | 'nightly' | 'as n8n 3';

/** All of `scenarios/`, once they are imported. */
export const scenarios: Array<{ title: string; where: Where; play: Play }> = [];

const adding = (where: Where) => (title: string, play: Play) =>
	void scenarios.push({ title, where, play });

/** In these, n8n versions differ most. */
export const everywhere = adding('everywhere');
/** Everything else but the next ones. */
export const newest = adding('newest');
/** They start n8n again or wait, which takes a while, as others do. */
export const nightly = adding('nightly');
/** On the newest n8n with the settings of n8n 3. */
export const asN8n3 = adding('as n8n 3');
