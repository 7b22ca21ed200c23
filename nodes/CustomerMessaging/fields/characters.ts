let segmenter: Intl.Segmenter | undefined;

/** Creates the segmenter on first use, because creating it takes longer than loading everything else. */
function splitGraphemes(text: string): Intl.Segments {
	segmenter ??= new Intl.Segmenter('en');
	return segmenter.segment(text);
}

/** Length of text to segment at once. The runtime's effort grows with the square of the length. */
const windowLength = 500;

/** Counts characters as a person does: an emoji or a letter with its accents is one. */
export function characterCount(value: string): number {
	let count = 0;
	for (let start = 0, length = windowLength; ;) {
		let end = start + length;
		// A window must not separate the two halves of a code point.
		while (/[\ud800-\udbff]/.test(value.charAt(end - 1))) end++;
		const found = Array.from(splitGraphemes(value.slice(start, end)), ({ index }) => index);
		if (end >= value.length) return count + found.length;

		// The last character may continue after the window, so the next window begins with it.
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

/** ASCII control characters other than tabs and line breaks, such as NUL, which many databases cannot store. */
const control = /(?![\t\n\r\u0080-\u009f])\p{Cc}/u;

/** Zero-width spaces, marks of direction, soft hyphens, fillers and the like. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Removes what nobody sees, and spaces at both ends. */
export function withoutInvisible(value: string): string {
	return value.replace(invisible, '').trim();
}

/** Whether a text contains anything other than spaces and invisible characters. */
export function isVisible(value: string): boolean {
	return /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(value);
}

/** Describes what in a text cannot be sent, and how to fix it; undefined if all of it can. */
export function unsendableText(value: string, { oneLine = false } = {}): string | undefined {
	// Half of a surrogate pair remains if an emoji is cut in two.
	if (!value.isWellFormed())
		return 'contains half a character, for instance of an emoji that was cut in two. Cut the text elsewhere';
	if (control.test(value)) return 'contains an invisible character. Remove it';
	if (oneLine && lineBreak.test(value)) return 'contains a line break. Write it on one line';
	return undefined;
}

/** The first characters of a text as a person counts them. What is left out is marked by an ellipsis. */
export function firstCharacters(value: string, max: number): string {
	if (!isLongerThan(value, max)) return value;
	const kept: string[] = [];
	for (const { segment } of splitGraphemes(value.slice(0, max * windowLength))) {
		if (kept.length === max - 1) break;
		kept.push(segment);
	}
	return `${kept.join('').trimEnd()}…`;
}
