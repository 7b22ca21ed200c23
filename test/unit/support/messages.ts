import ts from 'typescript';

import { below, placeOf, publishedSources } from '../../engine/security/support/patterns';

/** A text of the published code, with `…` where a value is put in. */
export interface Message {
	where: string;
	text: string;
}

/** Every text of two words or more that the published code holds: what people read, and a little more. */
export function messages(): Message[] {
	return publishedSources().flatMap(({ source }) =>
		[...below(source)].flatMap((node): Message[] => {
			// Also of a slot such as `{origin}`.
			const text = textOf(node)?.replace(/\{\w+\}/g, '…');
			return text && isSaid(node) && /\p{L}{2,} \S*\p{L}/u.test(text)
				? [{ where: placeOf(node), text }]
				: [];
		}),
	);
}

/** Whether it is neither a type nor a file name nor the key of an object. */
function isSaid(node: ts.Node): boolean {
	const { parent } = node;
	return !(
		ts.isImportDeclaration(parent) ||
		ts.isExportDeclaration(parent) ||
		ts.isLiteralTypeNode(parent) ||
		(ts.isPropertyAssignment(parent) && parent.name === node)
	);
}

function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}
