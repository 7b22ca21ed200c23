// Text that was read in another encoding than it was written in.

/** What reading puts in the place of a character that the encoding does not have. */
export const LOST = '\ufffd';

/** What is wrong with a text that contains it, and the way out, for use after a label. */
export const lostCharacter =
	"contains '\ufffd', which stands for a character that was lost because a file was read in the wrong encoding. Save the file as UTF-8 (in Excel: CSV UTF-8), or choose its Encoding under Options of Extract from File, such as Latin1";

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

/** Two characters in a row that most texts do not have, so that only few are searched for the rest. */
const unusual = /[\u00c2-\u00f0][^\0-\x7f\u00c0-\u00ff]|[\u0080-\u009f]/;

/** The word in which something was read in the wrong encoding, such as `JÃ¶rg`; undefined if none is. */
export function misreadWord(text: string): string | undefined {
	const found = unusual.test(text) ? misread.exec(text) : undefined;
	if (!found) return undefined;
	const [before = ''] = /[^\s"\\<>]{0,20}$/.exec(text.slice(0, found.index)) ?? [];
	const [rest = ''] = /^[^\s"\\<>]{0,20}/.exec(text.slice(found.index + found[0].length)) ?? [];
	return before + found[0] + rest;
}
