import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { Problem } from '../../scripts/problem';
import { databaseKinds, type DatabaseKind } from './database/database';
import { postgresFolder } from './database/postgres';

export type CommandLine = ReturnType<typeof readCommandLine>;

/** `[--all] [version] [postgres] [sqlite] [words…] [--rounds 30]`: without words, every title is asked for. */
export function readCommandLine(args: readonly string[]) {
	const { values, positionals } = parseArgs({
		args: [...args],
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
		version: positionals.find(isVersion),
		/** Whether everything runs in all versions. */
		all: values.all,
		databases: positionals.filter(isDatabase),
		/** How often the rounds of a race are repeated. */
		rounds,
		isAsked: (title: string) => words.length === 0 || words.some((word) => title.includes(word)),
	};
}

/**
 * Fails before anything is built or started if a server is missing.
 *
 * @throws Problem that names all packages to install
 */
export function requireServers(databases: readonly DatabaseKind[]): void {
	const missing = [];
	if (spawnSync('redis-server', ['--version']).error) missing.push('redis-server');
	if (databases.includes('postgres') && postgresFolder() === undefined) missing.push('postgresql');
	if (missing.length === 0) return;
	throw new Problem(
		`Queue mode needs ${missing.join(' and ')}, which this machine does not have (Debian: apt-get install ${missing.join(' ')}).`,
	);
}
