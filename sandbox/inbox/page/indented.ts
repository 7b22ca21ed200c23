import { endOfString, readJson } from '../../json';

/**
 * JSON with a line for each value. Unlike `JSON.stringify`, it keeps every key and every digit as they
 * were written. Other text is returned unchanged.
 *
 * @param maxChars about where to stop
 */
export function indented(text: string, maxChars: number): string {
	if ('problem' in readJson(text)) return text;
	const startLine = (depth: number) => `\n${'  '.repeat(depth)}`;
	let depth = 0;
	let out = '';
	let isFirst = false;
	for (let index = 0; index < text.length && out.length < maxChars; index++) {
		const character = text[index] ?? '';
		if (/\s/.test(character)) continue;
		const isClosing = character === '}' || character === ']';
		if (isFirst && !isClosing) out += startLine(depth);
		const isEmpty = isFirst && isClosing;
		isFirst = character === '{' || character === '[';
		switch (character) {
			case '"': {
				const end = endOfString(text, index);
				out += text.slice(index, end + 1);
				index = end;
				break;
			}
			case '{':
			case '[':
				depth++;
				out += character;
				break;
			case '}':
			case ']':
				depth--;
				out += isEmpty ? character : startLine(depth) + character;
				break;
			case ',':
				out += character + startLine(depth);
				break;
			case ':':
				out += ': ';
				break;
			default:
				out += character;
		}
	}
	return out;
}
