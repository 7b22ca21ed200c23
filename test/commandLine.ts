import { parseArgs } from 'node:util';
import { databaseKinds } from './queue/database';

/** What a suite is asked for: `[--all] [versions…] [postgres] [sqlite] [words…]`. */
export function readCommandLine() {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: { all: { type: 'boolean', default: false } },
	});
	const versions = positionals.filter((argument) => /^\d+\.\d/.test(argument));
	const named = databaseKinds.filter((kind) => positionals.includes(kind));
	const others: string[] = [...versions, ...named];
	const words = positionals.filter((argument) => !others.includes(argument));
	return {
		/** Of n8n. */
		versions,
		databases: named.length > 0 ? named : databaseKinds,
		/** Whether a title holds one of the words. Without words, every title is asked for. */
		isAsked: (title: string) =>
			words.length === 0 || words.some((word) => title.toLowerCase().includes(word.toLowerCase())),
		/** Whether what else is left to the night is asked for, with `--all` or by words. */
		takesAll: values.all || words.length > 0,
		/** Whether everything runs in all versions. */
		all: values.all,
	};
}
