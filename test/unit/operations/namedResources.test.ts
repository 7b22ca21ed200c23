import ts from 'typescript';

import { resources } from '../../../nodes/CustomerMessaging/operations';
import { channels } from '../../../nodes/CustomerMessaging/operations/channels';
import { below, publishedSources } from '../../engine/security/support/patterns';

const values = resources.map(({ value }) => value);
/** Each resource knows itself. */
const own = values.map((value) => `nodes/CustomerMessaging/operations/${value}.ts`);
/** A channel in an expression for n8n's form. */
const inQuotes = new RegExp(
	`(["'])(?:${channels.map(({ value }) => value).join('|')}|customRequest)\\1`,
);
/** What is also a key of the API or an ordinary word, and so names a resource only in some places. */
const ambiguous = ['email', 'user', 'event'];
/** What a resource, or something that is the same for each, is called. */
const ofResource = /resource|channel|\bapi\b|kind/i;

/** Texts that stand beside each other: in a list, a union, the keys of an object, the cases of a switch. */
function listedIn(node: ts.Node): string[] {
	let parts: Array<ts.Node | undefined> = [];
	if (ts.isArrayLiteralExpression(node)) parts = node.elements.filter(ts.isStringLiteralLike);
	else if (ts.isUnionTypeNode(node))
		parts = node.types.map((type) => (ts.isLiteralTypeNode(type) ? type.literal : undefined));
	else if (ts.isObjectLiteralExpression(node)) parts = node.properties.map(({ name }) => name);
	else if (ts.isTypeLiteralNode(node) || ts.isInterfaceDeclaration(node))
		parts = node.members.map(({ name }) => name);
	else if (ts.isCaseBlock(node))
		parts = node.clauses.map((one) => (ts.isCaseClause(one) ? one.expression : undefined));
	return parts.flatMap((part) =>
		part && (ts.isStringLiteralLike(part) || ts.isIdentifier(part)) ? [part.text] : [],
	);
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

/** Whether a node names resources: a list of them, a choice by one, or a path that only some have. */
function namesResources(node: ts.Node): boolean {
	// A record of a user has an email and a name; one of resources has at least two of them. Labels count too.
	const listed = listedIn(node).map((text) => text.toLowerCase());
	if (values.filter((value) => listed.includes(value.toLowerCase())).length > 1) return true;
	const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node);
	if (!isText && !ts.isRegularExpressionLiteral(node)) return false;
	const { text, parent } = node;
	if (/sendmessage/i.test(text)) return true;
	if (ts.isImportDeclaration(parent)) return false;
	return (
		inQuotes.test(text) || (values.includes(text) && (!ambiguous.includes(text) || isChoice(node)))
	);
}

test('Only the file of a resource names it, so that a channel is added by one record', () => {
	const sources = publishedSources();
	expect(sources.length).toBeGreaterThan(90);
	const found = sources
		.filter(({ name }) => !own.includes(name))
		.flatMap(({ name, source }) =>
			[...below(source)].filter(namesResources).map((node) => {
				const place = ts.isStringLiteralLike(node) ? node.parent : node;
				return `${name}: ${place.getText().slice(0, 80)}`;
			}),
		);
	// A scheme of links.
	expect([...new Set(found)]).toEqual([
		"nodes/CustomerMessaging/fields/link.ts: ['sms', 'smsto', 'mailto', 'geo', 'facetime', 'facetime-audio']",
	]);
});
