import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { transformSync } from '@swc/core';

import type { Code } from '../../../../simulation/journalWorld';

const root = path.join(__dirname, '../../../../nodes/CustomerMessaging');
const requirePackage = createRequire(__filename);

/**
 * Loads the journal from its source, with changes.
 *
 * @param mutations by file, a text and what replaces it
 */
export function loadMutant(mutations: Readonly<Record<string, [string, string]>>): Code {
	const loaded = new Map<string, object>();
	const left = new Set(Object.keys(mutations));
	const load = (file: string): object => {
		const known = loaded.get(file);
		if (known) return known;
		const exported = {};
		loaded.set(file, exported);
		let source = readFileSync(path.join(root, file), 'utf8');
		const [text, replacement] = mutations[file] ?? [];
		if (text !== undefined && replacement !== undefined) {
			if (!source.includes(text)) throw new Error(`${file} does not hold: ${text}`);
			source = source.replace(text, replacement);
			left.delete(file);
		}
		const { code } = transformSync(source, {
			jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
			module: { type: 'commonjs' },
		});
		const requireFrom = (name: string): unknown =>
			name.startsWith('.')
				? load(`${path.posix.join(path.posix.dirname(file), name)}.ts`)
				: requirePackage(name);
		// eslint-disable-next-line @typescript-eslint/no-implied-eval -- it is this project's own code
		const run = new Function('exports', 'require', code) as (
			exports: object,
			require: (name: string) => unknown,
		) => void;
		run(exported, requireFrom);
		return exported;
	};
	const code = Object.assign(
		{},
		load('delivery/journal.ts'),
		load('delivery/namesInUse.ts'),
		load('delivery/entries.ts'),
		load('n8n/entryStore.ts'),
	) as Code;
	if (left.size > 0) throw new Error(`Not loaded: ${[...left].join()}`);
	return code;
}
