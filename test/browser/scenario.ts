import type { Stage } from './stage';

type Play = (stage: Stage) => Promise<void>;
interface When {
	isNightly?: boolean;
	inEachVersion?: boolean;
}

/** All of `scenarios/`, once they are imported. */
export const scenarios: Array<When & { title: string; play: Play }> = [];

const adding =
	(when: When = {}) =>
	(title: string, play: Play) =>
		void scenarios.push({ title, play, ...when });

export const always = adding();
/** They take long, and tests without a browser show most of what they do. */
export const nightly = adding({ isNightly: true });
/** Versions have viewers, forms and pages of questions of their own, and ways to choose a credential. */
export const inEachVersion = adding({ inEachVersion: true });
