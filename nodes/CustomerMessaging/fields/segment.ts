import type { LargeInteger } from '../shared/exactJson';
import { oneLine, quote } from '../shared/formatting';
import type { Problem } from '../shared/ending';
import { prepared } from './convert';
import { type Field, isBlank, isRecord, unwrapLocator } from './field';
import { exactInteger } from './values';

/** `Newsletter (ID 7)`, or only the ID if the credential has no name for it. */
export function nameSegment(id: string, name: string | undefined): string {
	return name === undefined ? id : `${oneLine(name, 60)} (ID ${id})`;
}

/**
 * Says that a segment, chosen from the list by its name, has another name now, or is gone; undefined if not.
 *
 * @param chosen the parameter as stored. An ID that was entered, or an expression, has no name.
 */
export function refuseMoved(
	chosen: unknown,
	names: ReadonlyMap<string, string>,
): Problem | undefined {
	if (!isRecord(chosen) || chosen.mode !== 'list' || isBlank(chosen)) return undefined;
	const { value, cachedResultName } = chosen;
	const id = typeof value === 'number' ? String(value) : value;
	if (typeof id !== 'string' || id.startsWith('=')) return undefined;
	const was = typeof cachedResultName === 'string' ? cachedResultName : '';
	const now = names.get(id.trim());
	// Without the ID that the list shows behind the name, only its beginning was stored.
	const isWhole = /[^…] \(ID \d+\)$/.test(was);
	const [before, after] = [plain(was), plain(now ?? '')];
	const isSame = isWhole ? after === before : after.startsWith(before);
	if (now !== undefined && isSame) return undefined;
	const how =
		now === undefined
			? `Segments in the credential no longer has ${id}`
			: `in the credential ${id} is now ${quote(now)}`;
	const rule = `Segment was chosen as ${quote(was || id)}, but ${how}. Choose it again`;
	return { field: 'segment_id', rule };
}

/** A name without its ID, its case, its spaces, and the marks where it was cut. */
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
				validation: [
					{
						type: 'regex',
						properties: {
							regex: '^\\s*[1-9][0-9]*\\s*$',
							errorMessage: 'Enter a whole number, 1 or more',
						},
					},
				],
			},
		],
	},
	reaches: 'fewer',
	modelMayFill: false,
	dependsOnAccount: true,
	rule: 'A segment from the list, or a whole number (1 or more)',
	schema: prepared(unwrapLocator, exactInteger('Segment')),
};
