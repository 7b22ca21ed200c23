import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

import { repository } from '../../../../scripts/paths';

export interface Pattern {
	/** File and line, from the repository's folder on. */
	where: string;
	source: string;
	flags: string;
}

/** Every TypeScript file in folders of the repository. By default, of what is published. */
export function publishedSources(folders = ['nodes', 'credentials']) {
	return folders.flatMap((folder) =>
		readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => /\.tsx?$/.test(file))
			.map((file) => {
				const name = path.join(folder, file);
				const text = readFileSync(path.join(repository, name), 'utf8');
				return { name, source: ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true) };
			}),
	);
}

/** The place of a node, as `file.ts:12`. */
export function placeOf(node: ts.Node): string {
	const source = node.getSourceFile();
	return `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

/** All nodes below one, itself included. */
export function* below(node: ts.Node): Generator<ts.Node> {
	yield node;
	const children: ts.Node[] = [];
	ts.forEachChild(node, (child) => void children.push(child));
	for (const child of children) yield* below(child);
}

/** Every regular expression of the node, its credentials and the sandbox. */
export function patterns(): { found: Pattern[]; unread: string[] } {
	const found: Pattern[] = [];
	const unread: string[] = [];
	for (const { source } of publishedSources(['nodes', 'credentials', 'sandbox'])) {
		for (const node of below(source)) {
			if (ts.isRegularExpressionLiteral(node)) {
				const [, body = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? [];
				found.push({ where: placeOf(node), source: body, flags });
			} else if (
				(ts.isNewExpression(node) || ts.isCallExpression(node)) &&
				node.expression.getText() === 'RegExp'
			) {
				const [body, flags] = (node.arguments ?? []).map((argument) => textOf(argument));
				if (body === undefined) unread.push(placeOf(node));
				else found.push({ where: placeOf(node), source: body, flags: flags ?? '' });
			}
		}
	}
	return { found, unread };
}

/** The text that an expression of literals and constants of its file makes. Undefined if it is none. */
function textOf(node: ts.Expression): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (ts.isTemplateExpression(node)) return joined(node, (piece) => piece.text);
	if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw')
		return ts.isTemplateExpression(node.template)
			? joined(node.template, ({ rawText = '' }) => rawText)
			: node.template.rawText;
	if (ts.isIdentifier(node)) {
		const declared = [...below(node.getSourceFile())].find(
			(one) => ts.isVariableDeclaration(one) && one.name.getText() === node.text,
		) as ts.VariableDeclaration | undefined;
		return declared?.initializer && textOf(declared.initializer);
	}
	// ['a', 'b'].join('|')
	if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression))
		return undefined;
	const { expression: list, name } = node.expression;
	if (!ts.isArrayLiteralExpression(list) || name.text !== 'join') return undefined;
	const entries = list.elements.map(textOf);
	const [separator] = node.arguments.map(textOf);
	return entries.includes(undefined) ? undefined : entries.join(separator);
}

function joined(
	{ head, templateSpans }: ts.TemplateExpression,
	written: (piece: ts.TemplateLiteralLikeNode) => string,
): string | undefined {
	const pieces = templateSpans.map(({ expression, literal }) => {
		const text = textOf(expression);
		return text === undefined ? undefined : text + written(literal);
	});
	return pieces.includes(undefined) ? undefined : written(head) + pieces.join('');
}
