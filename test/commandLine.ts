import { parseArgs } from 'node:util';
import { Problem } from '../scripts/problem';
import { databaseKinds, type DatabaseKind } from './queue/database/database';

export type CommandLine = ReturnType<typeof readCommandLine>;

/** What a suite is asked for: `[--all] [versions…] [postgres] [sqlite] [words…] [--rounds 30]`. */
export function readCommandLine() {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			all: { type: 'boolean', default: false },
			rounds: { type: 'string', default: '3' },
		},
	});
	const rounds = Number(values.rounds);
	if (!Number.isInteger(rounds) || rounds < 1)
		throw new Problem(`--rounds must be a number from 1, and it is "${values.rounds}".`);
	const isVersion = (argument: string) => /^\d+\.\d/.test(argument);
	const isDatabase = (argument: string): argument is DatabaseKind =>
		(databaseKinds as readonly string[]).includes(argument);
	const words = positionals.filter((argument) => !isVersion(argument) && !isDatabase(argument));
	return {
		/** Of n8n. */
		versions: positionals.filter(isVersion),
		databases: positionals.filter(isDatabase),
		/** How often the rounds of a race are repeated. */
		rounds,
		/** Whether a title holds one of the words. Without words, every title is asked for. */
		isAsked: (title: string) =>
			words.length === 0 || words.some((word) => title.toLowerCase().includes(word.toLowerCase())),
		/** Whether what else is left to the night is asked for, with `--all` or by words. */
		takesAll: values.all || words.length > 0,
		/** Whether everything runs in all versions. */
		all: values.all,
	};
}
