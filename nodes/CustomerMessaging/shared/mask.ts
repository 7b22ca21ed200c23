import type { Outcome } from './outcome';
import { createSecretFinder, type SecretFinder, type Span } from './secretSearch';

/** Removes a secret from what a service sends back. */
export interface Mask {
	/** The text with every form of the secret replaced by {@link masked}. */
	text(value: string): string;
	/**
	 * A parsed JSON value with the secret replaced wherever it occurs: in texts, in field names, and
	 * as a number. Returns the same reference if nothing needs to change. Never throws, even for values
	 * that JSON cannot represent.
	 */
	value(value: unknown): unknown;
}

/** Replaces the secret, and values that cannot be read. */
export const masked = '…';

/** Replaces lists and objects that are nested deeper than {@link maxDepth}. */
export const tooDeep = '… (nested too deeply)';

/** n8n copies and saves the node's output recursively. Deeper nesting would overflow the stack. */
export const maxDepth = 500;

/** A shorter secret would match unrelated text. */
const minSecretLength = 8;

/**
 * Creates the mask of one run.
 *
 * @param secret visible ASCII characters without spaces; nothing is masked if it has fewer than 8
 */
export function createMask(secret: string): Mask {
	const find: SecretFinder =
		secret.length < minSecretLength ? () => [] : createSecretFinder(secret);
	const text = (value: string) =>
		value.length < minSecretLength ? value : replaceSpans(value, find(value));
	const isSecret = secret.length < minSecretLength ? () => false : numberTest(secret);
	const scalar = (value: unknown): unknown => {
		if (typeof value === 'string') return text(value);
		if (typeof value === 'number' || typeof value === 'bigint')
			return isSecret(value) ? masked : value;
		if (!ArrayBuffer.isView(value)) return value;
		const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1');
		return text(bytes) === bytes ? value : masked;
	};
	return {
		text,
		value: (value) => (isClean(value, scalar) ? value : copyOf(value, scalar)),
	};
}

/**
 * Masks the response, code and message of an outcome. The kind of outcome never changes, whatever
 * the secret is.
 */
export function maskOutcome(outcome: Outcome, mask: Mask): Outcome {
	switch (outcome.outcome) {
		case 'accepted':
		case 'rejected':
			return { ...outcome, response: mask.value(outcome.response) };
		case 'notSent':
			return { ...outcome, ...maskFailure(outcome, mask) };
		case 'unknown': {
			const { response } = outcome;
			const shown = response === undefined ? {} : { response: mask.value(response) };
			return { ...outcome, ...shown, ...maskFailure(outcome, mask) };
		}
	}
}

function maskFailure({ code, message }: { code?: string; message?: string }, mask: Mask) {
	return {
		...(code === undefined ? {} : { code: mask.text(code) }),
		...(message === undefined ? {} : { message: mask.text(message) }),
	};
}

/** Tests whether a number is the secret, even if JavaScript has rounded a long integer. */
function numberTest(secret: string): (value: number | bigint) => boolean {
	const rounded = /^-?[1-9]\d*$/.test(secret) ? Number(secret) : undefined;
	return (value) => value === rounded || String(value) === secret;
}

function replaceSpans(text: string, spans: Span[]): string {
	let rest = 0;
	let result = '';
	for (const { start, end } of spans.sort((one, other) => one.start - other.start)) {
		// Spans overlap if two forms match the same text.
		if (start >= rest) result += text.slice(rest, start) + masked;
		rest = Math.max(rest, end);
	}
	return result + text.slice(rest);
}

type Scalar = (value: unknown) => unknown;

/** A list or an object that still has to be visited. */
interface Visit {
	container: object;
	depth: number;
}

/** Whether a value can be returned as it is. Iterative, because recursion could overflow the stack. */
function isClean(value: unknown, scalar: Scalar): boolean {
	if (!isContainer(value)) return Object.is(scalar(value), value);
	const seen = new Set<object>([value]);
	const visits: Visit[] = [{ container: value, depth: 1 }];
	for (let visit = visits.pop(); visit; visit = visits.pop()) {
		const { container, depth } = visit;
		const entries = entriesOf(container);
		if (entries === undefined || depth > maxDepth) return false;
		for (const [name, entry] of entries) {
			if (!Array.isArray(container) && scalar(name) !== name) return false;
			if (!isContainer(entry)) {
				if (!Object.is(scalar(entry), entry)) return false;
			} else if (!seen.has(entry)) {
				seen.add(entry);
				visits.push({ container: entry, depth: depth + 1 });
			}
		}
	}
	return true;
}

/** Copies a value with its scalars masked. A list or object that occurs twice is copied once. */
function copyOf(value: unknown, scalar: Scalar): unknown {
	const copies = new Map<object, unknown>();
	const visits: Visit[] = [];
	const replace = (entry: unknown, depth: number): unknown => {
		if (!isContainer(entry)) return scalar(entry);
		if (!copies.has(entry)) {
			copies.set(entry, depth > maxDepth ? tooDeep : emptyCopy(entry));
			visits.push({ container: entry, depth });
		}
		return copies.get(entry);
	};
	const result = replace(value, 1);
	for (let visit = visits.pop(); visit; visit = visits.pop()) {
		const copy = copies.get(visit.container);
		if (!isContainer(copy)) continue;
		const entries = entriesOf(visit.container) ?? [];
		const nameOf = Array.isArray(copy) ? (name: string) => name : nameMaker(entries, scalar);
		for (const [name, entry] of entries) {
			// Assigning to `__proto__` would change the object's prototype.
			Object.defineProperty(copy, nameOf(name), {
				value: replace(entry, visit.depth + 1),
				configurable: true,
				enumerable: true,
				writable: true,
			});
		}
	}
	return result;
}

/** Masks the field names of one copy. Names that become equal are numbered, so that no field is lost. */
function nameMaker(entries: Array<[string, unknown]>, scalar: Scalar): (name: string) => string {
	const taken = new Set(entries.map(([name]) => name));
	const uses = new Map<string, number>();
	return (original) => {
		const name = String(scalar(original));
		if (name === original) return name;
		let use = uses.get(name) ?? 0;
		let numbered: string;
		do {
			use++;
			numbered = use === 1 ? name : `${name} (${use})`;
		} while (taken.has(numbered));
		uses.set(name, use);
		return numbered;
	};
}

function isContainer(value: unknown): value is object {
	return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
}

/** An empty container for masked entries, or the value itself if it has no entries, as with a Date. */
function emptyCopy(container: object): unknown {
	const entries = entriesOf(container);
	if (entries === undefined) return masked;
	if (Array.isArray(container)) return [];
	return entries.length === 0 ? container : {};
}

/** The names and values that `JSON.stringify` would write, or undefined if a getter or proxy throws. */
function entriesOf(container: object): Array<[string, unknown]> | undefined {
	try {
		return Object.entries(container);
	} catch {
		return undefined;
	}
}
