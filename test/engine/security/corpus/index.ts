import type { Group, Theme } from '../support/places';
import * as headers from './headers';
import * as hosts from './hosts';
import * as links from './links';
import * as mail from './mail';
import * as numbers from './numbers';
import * as oversized from './oversized';
import * as paths from './paths';
import * as pollution from './pollution';
import * as text from './text';
import * as values from './values';

const themes = {
	hosts,
	paths,
	headers,
	pollution,
	numbers,
	text,
	oversized,
	links,
	mail,
	values,
};

/** Bad inputs by theme, each different in kind from the others. */
export const corpus: Theme[] = Object.entries(themes).map(([name, { refused }]) => ({
	name,
	refused,
}));

export function inputsOf(groups: readonly Group[]) {
	return groups.flatMap(({ place, inputs }) =>
		inputs.map(([what, value]) => ({ place, what, value })),
	);
}
