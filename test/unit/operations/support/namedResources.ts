import ts from 'typescript';

import { resources } from '../../../../nodes/CustomerMessaging/operations';
import { channels } from '../../../../nodes/CustomerMessaging/operations/channels';

const values = resources.map(({ value }) => value);
/** A channel in an expression for n8n's form. */
const inQuotes = new RegExp(
	`(["'])(?:${channels.map(({ value }) => value).join('|')}|customRequest)\\1`,
);
/** What is also a key of the API or an ordinary word, and so names a resource only in some places. */
const ambiguous = ['email', 'user', 'event'];
/** What a resource, or something that is the same for each, is called. */
const ofResource = /resource|channel|\bapi\b|kind/i;

const textOf = (node: ts.Node): string | undefined => {
	if (ts.isStringLiteralLike(node) || ts.isIdentifier(node)) return node.text;
	if (ts.isLiteralTypeNode(node)) return textOf(node.literal);
	return undefined;
};
const isValue = (text: string | undefined) => values.includes(String(text));
/** Labels of resources too. */
const isName = (text: string | undefined) =>
	values.some((value) => value.toLowerCase() === text?.toLowerCase());

/** Texts that stand beside each other: in a list, a union, the keys of an object, the cases of a switch. */
function listedIn(node: ts.Node): Array<string | undefined> {
	if (ts.isArrayLiteralExpression(node))
		return node.elements.map((one) => (ts.isIdentifier(one) ? undefined : textOf(one)));
	if (ts.isUnionTypeNode(node)) return node.types.map(textOf);
	if (ts.isObjectLiteralExpression(node))
		return node.properties.map(({ name }) => name && textOf(name));
	if (ts.isTypeLiteralNode(node) || ts.isInterfaceDeclaration(node))
		return node.members.map(({ name }) => name && textOf(name));
	if (ts.isCaseBlock(node))
		return node.clauses.map((one) => (ts.isCaseClause(one) ? textOf(one.expression) : undefined));
	return [];
}

/** Where code names resources: a list of them, a choice by one, or a path that only some have. */
export function namedResources(file: string, source: string): string[] {
	const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
	const found = new Set<string>();
	const note = (node: ts.Node) => {
		const { line } = parsed.getLineAndCharacterOfPosition(node.getStart());
		found.add(`${file}:${line + 1}: ${node.getText().replace(/\s+/g, ' ').slice(0, 80)}`);
	};
	const visit = (node: ts.Node): void => {
		const listed = listedIn(node).filter(isName);
		// A record of a user has an email and a name; one of resources has at least two of them.
		if (new Set(listed).size > 1) note(node);
		const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node);
		if (isText || ts.isRegularExpressionLiteral(node)) {
			const { text } = node;
			const isImport = ts.isImportDeclaration(node.parent);
			if (isValue(text) && !isImport && (!ambiguous.includes(text) || isChoice(node)))
				note(node.parent);
			if (!isImport && inQuotes.test(text)) note(node);
			if (/sendmessage/i.test(text)) note(node);
		}
		ts.forEachChild(node, visit);
	};
	visit(parsed);
	return [...found];
}

/** Whether a text is compared with, or looked up by, what names a resource. */
function isChoice({ parent }: ts.Node): boolean {
	if (ts.isCaseClause(parent)) return ofResource.test(parent.parent.parent.expression.getText());
	const isPart =
		ts.isBinaryExpression(parent) ||
		ts.isCallExpression(parent) ||
		ts.isElementAccessExpression(parent);
	return isPart && ofResource.test(parent.getText());
}
