import { SegmentedMessage } from 'sms-segments-calculator';

/** Longer text is not an SMS, and the library's running time grows with the square of the length. */
const maxLength = 5_000;

/** Text whose characters each take one place in GSM-7. The library, which is slow, need not count it. */
const onePlace = /^[\n !-#%-?A-Za-z@_$¡£¤¥§¿ÄÅÆÇÉÑÖØÜßàäåæèéìñòöøùüΓΔΘΛΞΠΣΦΨΩ]*$/;

/**
 * Counts the parts into which the network splits an SMS: 160 characters in GSM-7 or 70 in UCS-2 for
 * a single part, and slightly fewer for each of several. The build bundles the library into this
 * file, because the package has no runtime dependencies.
 */
export function smsParts(message: string): { parts: number; encoding: string } | undefined {
	const { length } = message;
	if (length > maxLength) return undefined;
	if (onePlace.test(message))
		return { parts: length <= 160 ? 1 : Math.ceil(length / 153), encoding: 'GSM-7' };
	const { segmentsCount, encodingName } = new SegmentedMessage(message);
	return { parts: segmentsCount, encoding: encodingName };
}

/** Splits an SMS as the network does. See {@link smsParts}. */
export function smsTexts(message: string): { parts: string[]; encoding: string } | undefined {
	if (message.length > maxLength) return undefined;
	const { segments, encodingName } = new SegmentedMessage(message);
	const parts = segments.map((segment) => Array.from(segment, textOfCharacter).join(''));
	return { parts, encoding: encodingName };
}

/** Each part of several begins with a header, which has no text. */
function textOfCharacter(character: unknown): string {
	const isText = typeof character === 'object' && character !== null && 'raw' in character;
	return isText && typeof character.raw === 'string' ? character.raw : '';
}
