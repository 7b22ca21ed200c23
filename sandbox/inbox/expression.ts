/** A text as a parameter of n8n: one that begins with `=` would be read as an expression. */
export function asText(text: string): string {
	return text.startsWith('=') ? asExpression(text) : text;
}

/** A value as a parameter of n8n whose field takes it as it is: texts, numbers, yes or no. */
export function asParameter(value: unknown): string | number | boolean {
	return typeof value === 'number' || typeof value === 'boolean' ? value : asTyped(value);
}

/** A value as a parameter of n8n that keeps its type, which a text field would not. */
export function asTyped(value: unknown): string {
	return typeof value === 'string' ? asText(value) : asExpression(value);
}

// Braces are written as escapes within a text, as n8n looks for `}}` before it reads any JavaScript.
function asExpression(value: unknown): string {
	const json = JSON.stringify(value);
	const isPlain = typeof value === 'number' || typeof value === 'boolean';
	if (isPlain) return `={{ ${json} }}`;
	const literal = (text: string) =>
		JSON.stringify(text).replace(/\{/g, '\\u007b').replace(/\}/g, '\\u007d');
	return typeof value === 'string'
		? `={{ ${literal(value)} }}`
		: `={{ JSON.parse(${literal(json)}) }}`;
}
