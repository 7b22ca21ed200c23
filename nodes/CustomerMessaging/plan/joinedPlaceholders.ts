import { isVisible } from '../fields/text';
import { parseTemplate, type Placeholder } from '../run/parameters';
import { withOptionalSteps } from '../run/plainPaths';

/** Placeholders in a row, such as a first and a last name, and what joins those of them that have a value. */
interface Joined {
	codes: string[];
	/** What is between them. */
	gap: string;
	/** What to give instead if all are missing; absent if nothing else is in the text. */
	fallback?: string;
}

/**
 * Finds the placeholders that only a space separates; if the text holds nothing else, also those that a comma
 * or the like separates.
 */
export function joinedPlaceholders(
	raw: unknown,
	isPlain: (placeholder: Placeholder) => boolean,
	example: string,
): Joined[] {
	const parts = parseTemplate(raw) ?? [];
	const isAll = !parts.some((part) => typeof part === 'string' && /[\p{L}\p{N}]/u.test(part));
	const joins = (text: string) => (isAll ? !/['\\\n\r]/.test(text) : !isVisible(text));
	const groups: Array<{ codes: string[]; gaps: string[] }> = [];
	for (const [index, part] of parts.entries()) {
		if (typeof part === 'string' || !isPlain(part)) continue;
		const between = parts[index - 1];
		const gap = typeof between === 'string' ? between : '';
		const before = gap === '' ? between : parts[index - 2];
		const last = groups.at(-1);
		const code = part.code.trim();
		const isSameGap = last?.gaps.every((one) => one === gap) === true;
		if (isSameGap && typeof before === 'object' && isPlain(before) && joins(gap)) {
			last.codes.push(code);
			last.gaps.push(gap);
		} else groups.push({ codes: [code], gaps: [] });
	}
	return groups
		.filter(({ codes }) => codes.length > 1)
		.map(({ codes, gaps: [gap = ' '] }) => ({
			codes,
			gap,
			...(isAll ? {} : { fallback: example }),
		}));
}

/**
 * What to write in place of placeholders in a row.
 *
 * @param word what else stands for a missing value, such as a space
 */
export function adviseJoining({ codes, gap, fallback }: Joined, word?: string): string {
	const values = codes.map(withOptionalSteps).join(', ');
	const isThere =
		(word === undefined && 'Boolean') ||
		(word !== undefined && isVisible(word)
			? `(part) => !['${word}', ''].includes(part ?? '')`
			: "(part) => String(part ?? '').trim()");
	const instead = fallback === undefined ? '' : ` || '${fallback}'`;
	const code = `[${values}].filter(${isThere}).join('${gap}')${instead}`;
	return `Write {{ ${code} }} in place of ${codes.length === 2 ? 'both' : `all ${codes.length}`}`;
}
