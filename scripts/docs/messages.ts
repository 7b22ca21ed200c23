import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

import { repository } from '../paths';
import { causes } from './causes';

/** A message of the node: whole texts, with `…` where a value or another text is put in. */
export interface Section {
	title: string;
	cause: string;
	messages: string[];
}

/** The page of all messages in Markdown, made from the texts in the code itself. */
export function messagesPage(): string {
	return [
		'# Messages',
		'',
		'Every text that the node and its credential test say about a run, by what causes it. `npm run docs` makes this page from the code, and a test fails when it is out of date.',
		'',
		'"…" stands for a value, a label or another part of the message. Fields have the names that the form shows. Items count from 0.',
		'',
		...sections().flatMap(({ title, cause, messages }) => [
			`## ${title}`,
			'',
			cause,
			'',
			...messages.map((message) => `- ${message}`),
			'',
		]),
	]
		.join('\n')
		.trimEnd()
		.concat('\n');
}

export function sections(): Section[] {
	return causes.map(({ title, cause, files }) => ({
		title,
		cause,
		messages: [...new Set(files.flatMap(messagesIn))],
	}));
}

/** The texts of a file under nodes/CustomerMessaging, in its order. */
export function messagesIn(file: string): string[] {
	const name = path.join(repository, 'nodes/CustomerMessaging', file);
	const source = ts.createSourceFile(
		name,
		readFileSync(name, 'utf8'),
		ts.ScriptTarget.ES2022,
		true,
	);
	return textsBelow(source).filter(isMessage);
}

/** Labels, single terms that are inserted into messages, dates, formats and expressions are not messages. */
function isMessage(text: string): boolean {
	const words = text.match(/[\p{L}\d…]+/gu) ?? [];
	const isLabel = words.every((word) => /^[\p{Lu}(]/u.test(word));
	const isCode = /^[($]|^={{/.test(text);
	const isSaid = plainWords(text).length >= 2 || text.startsWith('Accepted: ');
	return words.length >= 4 && !isLabel && !isCode && !isKey(text) && isSaid;
}

/** Words of small letters that stand alone. A date, an address or a format has none. */
function plainWords(text: string): string[] {
	return text.split(/\s/).filter((word) => /^['"(]?[a-z][a-z']*[.,:;'")]*$/.test(word));
}

/** Under what n8n's store keeps a note: `sent … … …`. */
function isKey(text: string): boolean {
	return /^[a-z]+ …( …)*( [a-z]+)?$/.test(text);
}

/** Texts of the form and of the documentation are not messages. */
const ofTheForm = ['displayName', 'name', 'description', 'placeholder', 'hint', 'rule', 'action'];

function textsBelow(node: ts.Node): string[] {
	if (ts.isImportDeclaration(node) || ts.isLiteralTypeNode(node)) return [];
	if (ts.isPropertyAssignment(node) && isOfTheForm(node)) return [];
	const own = textOf(node);
	if (own !== undefined) {
		const inserted = ts.isTemplateExpression(node)
			? node.templateSpans.flatMap(({ expression }) => textsBelow(expression))
			: [];
		return [clean(own), ...inserted];
	}
	return node.getChildren().flatMap(textsBelow);
}

function isOfTheForm({ name, parent }: ts.PropertyAssignment): boolean {
	const key = name.getText();
	if (!ofTheForm.includes(key)) return false;
	// The description of a failure is a message.
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

function clean(text: string): string {
	return text
		.replace(/\s+/g, ' ')
		.trim()
		.replace(/^[,;:.] /, '')
		.replace(/([<*_`])/g, '\\$1');
}
