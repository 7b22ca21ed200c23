// Text that was read in another encoding than it was written in.

/** What reading puts in the place of a character that the encoding does not have, also in the address of a link. */
const replaced = /\ufffd|%EF%BF%BD/i;

/** Describes characters that were lost, and the way out, for use after a label; undefined if none was. */
export function lostCharacter(value: string): string | undefined {
	return value.includes('\ufffd') || (value.includes('%') && replaced.test(value))
		? "contains '\ufffd', which stands for a character that was lost because a file was read in the wrong encoding. Save the file as UTF-8 (in Excel: CSV UTF-8), or choose its Encoding under Options of Extract from File, such as Latin1"
		: undefined;
}

/** What bytes from 80 to BF become if they are read as Windows-1252 or Latin1; quotation marks and dashes apart. */
const signs = '\\u0080-ª¬-º¼-¿ƒˆ˜€™ŠšŒœŽžŸ†‡‰•';
const marks = '«»‚„…‹›‘’“”–—';
const any = `[${signs}${marks}]`;

/**
 * UTF-8 that was read as Windows-1252 or Latin1: `Ã¶` for ö, `â€™` for ’. Behind a capital, `Ã”` may be a
 * letter and a quotation mark. Of other scripts, only two characters in a row are certain.
 */
const misread = new RegExp(
	[
		`[ÂÃÄÅ][${signs}]`,
		`(?<!\\p{Lu})[ÂÃÄÅ][${marks}]|[ÂÃÄÅ][${marks}](?=\\p{Ll})`,
		`(?:[Æ-Þ]${any}){2}`,
		`â[€‚„]${any}`,
		`(?:[à-ï]${any}{2}){2}`,
		`ðŸ${any}{2}`,
		'[\\u0080-\\u0084\\u0086-\\u009f]',
	].join('|'),
	'u',
);

/** The word in which something was read in the wrong encoding, such as `JÃ¶rg`; undefined if none is. */
export function misreadWord(text: string): string | undefined {
	const found = misread.exec(text);
	if (!found) return undefined;
	const [before = ''] = /[^\s"\\<>]{0,20}$/.exec(text.slice(0, found.index)) ?? [];
	const [rest = ''] = /^[^\s"\\<>]{0,20}/.exec(text.slice(found.index + found[0].length)) ?? [];
	return before + found[0] + rest;
}
