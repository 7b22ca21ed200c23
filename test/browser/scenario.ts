import type { Stage } from './stage';

/**
 * - nightly: they take long, and tests without a browser show most of what they do
 * - in each version: each has a viewer, forms and pages of questions of its own, and ways of its own to choose a
 *   credential and list fields
 */
type When = 'always' | 'nightly' | 'in each version' | 'nightly in each version';

type Play = (stage: Stage) => Promise<void>;

/** All of `scenarios/`, once they are imported. */
export const scenarios: Array<{ title: string; when: When; play: Play }> = [];

export function scenario(title: string, when: When, play: Play): void {
	scenarios.push({ title, when, play });
}
