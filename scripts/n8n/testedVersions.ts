import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compareVersions } from '../nodeRange.cjs';
import { hostsFolder } from '../paths';

/** The versions in which the suite passed, each with the day, such as `2026-11-27`. */
export type Tested = Record<string, string>;

const file = path.join(hostsFolder, 'tested.json');

export function readTested(): Tested {
	return JSON.parse(readFileSync(file, 'utf8')) as Tested;
}

export function writeTested(tested: Tested): void {
	const sorted = Object.entries(tested).sort(([one], [other]) => compareVersions(one, other));
	writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, '\t')}\n`);
}
