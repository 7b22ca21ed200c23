import { parseUrl } from './link';

/** Parameters of Punycode (RFC 3492 §5). */
const base = 36;
const minThreshold = 1;
const maxThreshold = 26;
const skew = 38;
const damp = 700;
const initialBias = 72;
const initialCodePoint = 128;
const maxCodePoint = 0x10ffff;

/**
 * Whether a domain label in Punycode stands for a label of letters beyond ASCII: decoded and converted
 * again by the runtime's URL, it must be the same. URL alone does not check this in all versions of
 * Node.js.
 */
export function isInternational(label: string): boolean {
	const plain = label.toLowerCase();
	const decoded = decode(plain.slice('xn--'.length));
	if (decoded === undefined || !/[^\0-\x7f]/.test(decoded)) return false;
	return parseUrl(`http://${decoded}.example`)?.hostname === `${plain}.example`;
}

/** Decodes Punycode in lower case (RFC 3492 §6.2), or returns undefined. */
function decode(encoded: string): string | undefined {
	const delimiter = encoded.lastIndexOf('-');
	const output = [...encoded.slice(0, Math.max(0, delimiter))].map((letter) =>
		letter.charCodeAt(0),
	);
	let codePoint = initialCodePoint;
	let bias = initialBias;
	let at = delimiter > 0 ? delimiter + 1 : 0;
	let index = 0;
	while (at < encoded.length) {
		const before = index;
		let weight = 1;
		for (let k = base; ; k += base) {
			const digit = decodeDigit(encoded.charCodeAt(at++));
			if (digit === undefined) return undefined;
			index += digit * weight;
			const threshold = Math.min(Math.max(k - bias, minThreshold), maxThreshold);
			if (digit < threshold) break;
			weight *= base - threshold;
		}
		const length = output.length + 1;
		bias = adapt(index - before, length, before === 0);
		codePoint += Math.floor(index / length);
		if (codePoint > maxCodePoint) return undefined;
		index %= length;
		output.splice(index++, 0, codePoint);
	}
	return String.fromCodePoint(...output);
}

/** The value of a digit: `a` to `z` are 0 to 25, and `0` to `9` are 26 to 35. */
function decodeDigit(code: number): number | undefined {
	if (code >= 0x61 && code <= 0x7a) return code - 0x61;
	return code >= 0x30 && code <= 0x39 ? code - 0x30 + 26 : undefined;
}

/** Adapts the bias (RFC 3492 §6.1). */
function adapt(difference: number, length: number, isFirst: boolean): number {
	let delta = isFirst ? Math.floor(difference / damp) : Math.floor(difference / 2);
	delta += Math.floor(delta / length);
	let k = 0;
	while (delta > Math.floor(((base - minThreshold) * maxThreshold) / 2)) {
		delta = Math.floor(delta / (base - minThreshold));
		k += base;
	}
	return k + Math.floor(((base - minThreshold + 1) * delta) / (delta + skew));
}
