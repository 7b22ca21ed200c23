import { toJson } from '../json';

/** A text as a parameter of n8n, which treats a text that begins with `=` as an expression. */
export function asText(text: string): string {
	return text.startsWith('=') ? asExpression(text) : text;
}

/** A value as a parameter of n8n whose field takes texts, numbers and booleans as they are. */
export function asParameter(value: unknown): string | number | boolean {
	if (typeof value === 'number' || typeof value === 'boolean') return value;
	// As text, because n8n would round it.
	return typeof value === 'bigint' ? String(value) : asTyped(value);
}

/** A value as a parameter of n8n whose field would make a text of it. The expression keeps its type. */
export function asTyped(value: unknown): string {
	return typeof value === 'string' ? asText(value) : asExpression(value);
}

/**
 * n8n looks for `}}` and `.constructor` before it reads any JavaScript, and its parser refuses line
 * separators within texts. So only characters that mean nothing to it are left as they are.
 */
function asExpression(value: unknown): string {
	if (typeof value === 'boolean' || typeof value === 'number') return `={{ ${value} }}`;
	return typeof value === 'string'
		? `={{ ${literal(value)} }}`
		: `={{ JSON.parse(${literal(toJson(value))}) }}`;
}

function literal(text: string): string {
	const escaped = text.replace(
		/[^\w ,:;!?@#%&()*+/<=>-]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
	return `"${escaped}"`;
}
