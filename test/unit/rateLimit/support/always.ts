import fc from 'fast-check';

import { propertyRuns, propertySeed } from '../../../propertyRuns';
import type { Scene } from './worlds';

/** Checks that something holds in many random worlds. */
export async function always(
	scenes: fc.Arbitrary<Scene>,
	holds: (scene: Scene) => Promise<void>,
): Promise<void> {
	await fc.assert(fc.asyncProperty(scenes, holds), { numRuns: propertyRuns, seed: propertySeed });
}
