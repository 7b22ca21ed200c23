import type { Channel } from '../../terms';

/** Keys whose words a reader would not guess from their letters. */
const known = new Map([
	['nv', 'List'],
	['serviceproviderID', 'Service provider ID'],
	['user_attributes', ''],
	['dnd', 'Do not disturb'],
	['ltv', 'Lifetime value'],
]);
const acronyms = new Map(
	['ID', 'URL', 'IFV', 'iOS', 'CC'].map((word) => [word.toLowerCase(), word]),
);

/** A place in a body as a reader would call it: `nv[0].userID` is "User 1, User ID". */
export function placeInWords(path: string, channel: Channel | null): string {
	const [, row, field = ''] = /^nv\[(\d+)\]\.?(.*)$/.exec(path) ?? [undefined, undefined, path];
	const rowName =
		row !== undefined && `${channel === 'user' ? 'User' : 'Event'} ${Number(row) + 1}`;
	const words = [rowName, ...field.split('.').map(keyInWords)].filter(Boolean).join(', ');
	return words || 'The body';
}

function keyInWords(key: string): string {
	const [first = '', ...rest] = key.replace(/([a-z])([A-Z])/g, '$1_$2').split('_');
	const words = [first.charAt(0).toUpperCase() + first.slice(1), ...rest];
	return known.get(key) ?? words.map((word) => acronyms.get(word.toLowerCase()) ?? word).join(' ');
}
