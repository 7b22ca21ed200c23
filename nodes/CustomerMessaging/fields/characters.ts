let segmenter: Intl.Segmenter | undefined;

/** Made when first needed: it takes longer than all else that is loaded. */
function graphemesOf(text: string): Intl.Segments {
	segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
	return segmenter.segment(text);
}

/** So much text is segmented at once: what the runtime needs for it grows with the square of the length. */
const windowLength = 500;

/** How many characters a person counts: an emoji or a letter with its accents is one. */
export function characterCount(value: string): number {
	let count = 0;
	for (let start = 0, length = windowLength; ; ) {
		let end = start + length;
		// A window must not part the two halves of one code point.
		while (/[\ud800-\udbff]/.test(value.charAt(end - 1))) end++;
		const found = Array.from(graphemesOf(value.slice(start, end)), ({ index }) => index);
		if (end >= value.length) return count + found.length;

		// The last one may go on behind the window, so the next begins with it.
		const last = found.at(-1) ?? 0;
		count += found.length - 1;
		start += last;
		length = last === 0 ? length * 2 : windowLength;
	}
}

/** Whether `value` is longer than `max` characters as a person counts them. */
export function isLongerThan(value: string, max: number): boolean {
	return value.length > max && characterCount(value) > max;
}

/** Line breaks of every kind. */
const lineBreak = /[\n\r\u0085\u2028\u2029]/;

/** What cannot be seen and is no tab or line break, such as NUL, which many a store cannot hold. */
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Half of a character that takes two units, as is left where an emoji is cut in two. */
const half = /\p{Surrogate}/u;

/** Whether there is more in a text than spaces and characters without a form. */
export function isVisible(value: string): boolean {
	return /[^\s\p{Cf}]/u.test(value);
}

/** What in a text cannot be sent, and what to do about it; undefined where all is well. */
export function unsendableText(value: string, { oneLine = false } = {}): string | undefined {
	if (half.test(value)) return 'holds half a character, as where an emoji was cut in two. Cut the text elsewhere';
	if (control.test(value)) return 'holds a character that cannot be seen. Take it out';
	if (oneLine && lineBreak.test(value)) return 'holds a line break. Write it on one line';
	return undefined;
}
