const string = String.raw`"[^"\\\n\r]*"|'[^'\\\n\r]*'`;
const step = String.raw`\??\.[\p{L}_$][\p{L}\d_$]*|(?:\?\.)?\[(?:\d+|${string})\]`;
const steps = `(?:${step})`;
const args = String.raw`(?:[^()"'\x60=>?|{}]|${string})*`;
const ofItem = String.raw`\.(?:item|first\(\)|last\(\))\.json`;
const root = String.raw`(?:\$json|\$input${ofItem}|\$\((?:${string})\)${ofItem}|\$node(?:\[(?:${string})\]|\.[\p{L}_]+)\.json)`;

export const eachRoot = new RegExp(root, 'gu');

/** A path to a value, and methods called on it with fixed arguments. */
export const plainCode = new RegExp(
	String.raw`^(${root}${steps})((?:${steps}|\(${args}\))*)$`,
	'u',
);

/** A path to a value, and none of its methods. */
const plainPath = new RegExp(`^${root}${steps}+$`, 'u');

/** A step to a value. */
export const firstStep = new RegExp(`^${steps}`, 'u');

const eachStep = new RegExp(steps, 'gu');

const lastStep = new RegExp(`${steps}$`, 'u');

/** The object that a path leads through last, the key of the value in it, and all keys; undefined if it is no path. */
export function splitPath(
	path: string,
): { parent: string; key: string; keys: string[] } | undefined {
	if (!plainPath.test(path)) return undefined;
	const parent = path.replace(lastStep, '');
	const nameOf = (written: string) => written.replace(/^(?:\?\.)?\[["']?|^\??\.|["']?\]$/g, '');
	const base = new RegExp(`^${root}`, 'u').exec(path)?.[0] ?? '';
	const keys = (path.slice(base.length).match(eachStep) ?? []).map(nameOf);
	return { parent, key: keys.at(-1) ?? '', keys };
}

const readPath = new RegExp(`${root}${steps}*(?<call>\\s*(?:\\?\\.)?\\()?`, 'gu');

/** The paths that a piece of code reads, without the methods that it calls on them. */
export function pathsIn(code: string): string[] {
	const found = Array.from(code.matchAll(readPath), ({ 0: written, groups }) => {
		const { call = '' } = groups ?? {};
		const path = written.slice(0, written.length - call.length);
		return call === '' ? path : path.replace(lastStep, '');
	});
	return [...new Set(found)].filter((path) => plainPath.test(path));
}

/** One without an end takes the rest, so that it is read only once. */
const literal = /(["'`])(?:(?!\1)[^\\]|\\[^])*(?:\1|\\?$)/g;

/** The text that stands in a piece of code itself. */
export function literalsIn(code: string): string {
	return (code.match(literal) ?? []).join(' ').replace(/\$\{[^}]*(?:\}|$)/g, ' ');
}

/** The code with each character of its literals replaced by a quotation mark. */
export function withoutLiterals(code: string): string {
	return code.replace(literal, (found) => '"'.repeat(found.length));
}

/**
 * Makes each step from a value that may be missing optional: `$json.a?.b`. One from a missing value would end
 * the whole expression.
 */
export function withOptionalSteps(code: string): string {
	return code.replace(readPath, (written) => {
		const [start = written] = new RegExp(`^${root}${steps}?`, 'u').exec(written) ?? [];
		return start + makeOptional(written.slice(start.length));
	});
}

function makeOptional(path: string): string {
	return path.replace(eachStep, (step) => step.replace(/^\./, '?.').replace(/^\[/, '?.['));
}
