import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';
import ts from 'typescript';

import { repository } from '../../../../scripts/paths';

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

const isMade = (node: ts.Node) =>
	(ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';

/** Every regular expression of the node, its credentials and the sandbox. */
export function patterns() {
	const found: Array<{ where: string; source: string; flags: string }> = [];
	const unread: string[] = [];
	for (const { source: file } of publishedSources(['nodes', 'credentials', 'sandbox'])) {
		const constants = createContext({});
		const valueOf = (code: string): unknown => {
			try {
				return runInContext(code, constants);
			} catch {
				// It needs something else than the constants before it.
				return undefined;
			}
		};
		const nodes = [...below(file)];
		if (nodes.some(isMade))
			for (const node of nodes.filter(ts.isVariableStatement))
				valueOf(ts.transpile(node.getText()));
		for (const node of nodes.filter((one) => isMade(one) || ts.isRegularExpressionLiteral(one))) {
			const pattern = valueOf(node.getText()) as RegExp | undefined;
			if (!pattern) unread.push(placeOf(node));
			else found.push({ where: placeOf(node), source: pattern.source, flags: pattern.flags });
		}
	}
	return { found, unread };
}
