import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

export interface Pattern {
	/** File and line, from the repository's folder on. */
	where: string;
	source: string;
	flags: string;
}

const repository = path.resolve(__dirname, '../../../..');

/** Every TypeScript file of what is published. */
export function publishedSources(): Array<{ name: string; source: ts.SourceFile }> {
	return ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.ts'))
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
	for (const child of node.getChildren()) yield* below(child);
}

/** Every regular expression that the published code holds. */
export function patterns(): Pattern[] {
	return publishedSources().flatMap(({ source }) =>
		[...below(source)].filter(ts.isRegularExpressionLiteral).map((literal) => {
			const [, body = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(literal.text) ?? [];
			return { where: placeOf(literal), source: body, flags };
		}),
	);
}
