import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
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
