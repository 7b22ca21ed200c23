import type { LargeInteger } from '../shared/exactJson';
import { oneLine, quote } from '../shared/formatting';
import type { Problem } from '../shared/ending';
import { converted } from './convert';
import { type Field, isBlank, isRecord, unwrapLocator } from './field';
import { exactInteger } from './values';

/** `Newsletter (ID 7)`, or only the ID if the credential has no name for it. */
export function nameSegment(id: string, name: string | undefined): string {
	return name === undefined ? id : `${oneLine(name, 60)} (ID ${id})`;
}

/**
 * Refuses a segment that was chosen from the list and has since been renamed or removed.
 *
 * @param chosen the parameter as stored. Entered IDs and expressions have no name.
 */
export function refuseMoved(
	chosen: unknown,
	names: ReadonlyMap<string, string>,
): Problem | undefined {
	if (!isRecord(chosen) || chosen.mode !== 'list' || isBlank(chosen)) return undefined;
	const { value, cachedResultName } = chosen;
	const id = typeof value === 'number' ? String(value) : value;
	if (typeof id !== 'string' || id.startsWith('=')) return undefined;
	const storedName = typeof cachedResultName === 'string' ? cachedResultName : '';
	const currentName = names.get(id.trim());
	// n8n may store only the beginning of a name. The list shows the ID at its end.
	const isWhole = /[^…] \(ID \d+\)$/.test(storedName);
	const [before, after] = [plain(storedName), plain(currentName ?? '')];
	const isSame = isWhole ? after === before : after.startsWith(before);
	if (currentName !== undefined && isSame) return undefined;
	const change =
		currentName === undefined
			? `Segments in the credential no longer has ${id}`
			: `in the credential ${id} is now ${quote(currentName)}`;
	const rule = `Segment was chosen as ${quote(storedName || id)}, but ${change}. Choose it again`;
	return { field: 'segment_id', rule };
}

/** Removes the ID, case, spaces and truncation marks from a name. */
function plain(name: string): string {
	let visible = name.replace(/[\s…\ufffd\p{Cc}\p{Cs}]/gu, '').toLowerCase();
	for (;;) {
		const at = visible.lastIndexOf('(');
		if (at < 0 || !/^\((?:id?\d*\)?)?$/.test(visible.slice(at))) return visible;
		visible = visible.slice(0, at);
	}
}

/** A segment, chosen by name from those in the credential or entered as an ID. A plain number works too. */
export const segment: Field<number | LargeInteger> = {
	form: {
		displayName: 'Segment',
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description: 'Who gets it. Ask support for the ID.',
		hint: 'Names: Segments in the credential',
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'e.g. VIP customers',
				// The function under the node's `methods.listSearch`.
				typeOptions: { searchListMethod: 'searchSegments', searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 42',
			},
		],
	},
	reaches: 'fewer',
	modelMayFill: false,
	rule: 'A segment from the list, or a whole number (1 or more)',
	schema: converted(unwrapLocator).pipe(exactInteger('Segment')),
};
