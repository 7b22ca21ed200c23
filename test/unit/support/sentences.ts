import path from 'node:path';
import ts from 'typescript';

import { publishedSources } from '../../engine/security/support/patterns';

/** Texts of these files are fixed parts of forms, previews, patterns and lists. */
const withoutSentences = [
	'description.ts',
	'fields/country.ts',
	'report/emailContent.ts',
	'report/messagePage.ts',
];

/**
 * What the node says about a run, with `…` where a value or another text is put in: its messages, hints
 * and lines in the log, without labels, descriptions and placeholders of the form.
 */
export function sentences(): string[] {
	return publishedSources()
		.filter(({ name }) => {
			const inNode = path.relative('nodes/CustomerMessaging', name);
			return !withoutSentences.some((part) => inNode.startsWith(part));
		})
		.flatMap(({ source }) => textsBelow(source))
		.filter(isSentence);
}

/** Single terms that are put into sentences, dates, formats, expressions and styles are not sentences. */
function isSentence(text: string): boolean {
	const words = text.match(/[\p{L}\d…]+/gu) ?? [];
	const isLabel = words.every((word) => /^[\p{Lu}(]/u.test(word));
	const isCode = /^[($]|^={{|^<style>/.test(text);
	return words.length >= 4 && !isLabel && !isCode && !isKey(text) && plainWords(text).length >= 2;
}

/** Words of small letters that stand alone. A date, an address or a format has none. */
function plainWords(text: string): string[] {
	return text.split(/\s/).filter((word) => /^['"(]?[a-z][a-z']*[.,:;'")]*$/.test(word));
}

/** Under what n8n's store keeps a note: `sent … … …`. */
function isKey(text: string): boolean {
	return /^[a-z]+ …( …)*( [a-z]+)?$/.test(text);
}

const ofTheForm = ['displayName', 'name', 'description', 'placeholder', 'hint', 'rule', 'action'];

function textsBelow(node: ts.Node): string[] {
	if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node)) return [];
	if (ts.isPropertyAssignment(node) && isOfTheForm(node)) return [];
	const own = textOf(node);
	if (own === undefined) return node.getChildren().flatMap(textsBelow);
	const inserted = ts.isTemplateExpression(node)
		? node.templateSpans.flatMap(({ expression }) => textsBelow(expression))
		: [];
	return [own.replace(/\s+/g, ' ').trim(), ...inserted];
}

function isOfTheForm({ name, parent }: ts.PropertyAssignment): boolean {
	const key = name.getText();
	if (!ofTheForm.includes(key)) return false;
	// The description of a failure is a sentence about it.
	if (key === 'description')
		return !parent.properties.some((other) => other.name?.getText() === 'message');
	// The reason why a value cannot be converted is the only text in its object.
	return key !== 'rule' || parent.properties.length > 1;
}

function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}
