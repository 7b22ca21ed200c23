import { isEmpty } from '../fields/field';
import type { Problem } from '../shared/problem';
import { given, quote } from '../shared/formatting';

/**
 * Reads the credential's segments: one on each line, its ID and then its name. Empty lines are skipped.
 *
 * @returns the names by ID, as digits because an ID may be too large for a JavaScript number, and a problem
 * for each line that is not a segment
 */
export function readSegments(text: unknown): { names: Map<string, string>; problems: Problem[] } {
	const names = new Map<string, string>();
	const problems: Problem[] = [];
	const refuse = (message: string) => problems.push({ field: 'segments', message });
	if (!isEmpty(text) && typeof text !== 'string')
		refuse(`Segments must be text, but it is ${given(text)}. Write one segment on each line`);
	for (const [index, line] of splitLines(text).entries()) {
		const [, id, name] = /^\s*([1-9]\d*)\s+(\S.*)$/.exec(line) ?? [];
		if (line.trim() === '') continue;
		if (!id || !name) {
			refuse(
				`Line ${index + 1} of Segments, ${quote(line.trim())}, is not a segment. Write its ID, a space and its name, such as 42 VIP customers`,
			);
		} else if (names.has(id)) {
			refuse(`Line ${index + 1} of Segments repeats the ID ${id}. Enter each segment once`);
		} else names.set(id, name.trim());
	}
	return { names, problems };
}

function splitLines(text: unknown): string[] {
	return typeof text === 'string' ? text.split(/\r\n|\r|\n/) : [];
}
