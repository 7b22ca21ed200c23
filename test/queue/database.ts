import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../../scripts/command';
import { nodeFor, type Host } from '../../scripts/n8n/hosts';
import { freePort } from '../../scripts/n8n/ports';
import { Problem } from '../../scripts/problem';

/** n8n asks for Postgres in queue mode. With SQLite, two workers that write at the same moment meet more easily. */
export const databaseKinds = ['postgres', 'sqlite'] as const;
export type DatabaseKind = (typeof databaseKinds)[number];

/** The server's superuser and its database, and the user that Debian's package creates on the machine. */
const NAME = 'postgres';
/** Where Debian installs the programs of each version. They are not on PATH. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';

export type Postgres = Awaited<ReturnType<typeof startPostgres>>;

/** A separate Postgres on this machine, with its data in a folder of its own that is deleted in the end. */
export async function startPostgres() {
	const programs = postgresFolder();
	if (programs === undefined)
		throw new Problem('Postgres is not installed (Debian: apt-get install postgresql).');
	const port = await freePort();
	const folder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-postgres-'));
	const data = path.join(folder, 'data');
	const account = accountOfServer();
	if (account) chownSync(folder, account.uid, account.gid);
	const runAsServer = (program: string, ...args: string[]) =>
		void execFileSync(path.join(programs, program), args, {
			...account,
			cwd: folder,
			// The server keeps its streams open, so it must not have this process's.
			stdio: 'ignore',
		});
	const stop = (mode: 'fast' | 'immediate') => {
		if (!existsSync(folder)) return;
		try {
			runAsServer('pg_ctl', 'stop', '-D', data, '-m', mode);
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	};
	process.once('exit', () => stop('immediate'));
	const login = ['--username', NAME, '--auth', 'trust'];
	const texts = ['--encoding', 'UTF8', '--locale', 'C.UTF-8'];
	runAsServer('initdb', '-D', data, ...login, ...texts, '--no-sync');
	const settings = {
		listen_addresses: '127.0.0.1',
		port,
		// By default in a folder of the system, where another server may have one.
		unix_socket_directories: '',
		// Eight processes of two n8n versions take ten each at most.
		max_connections: 100,
	};
	const options = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`);
	const log = path.join(folder, 'log');
	runAsServer('pg_ctl', 'start', '-D', data, '-l', log, '-o', options.join(' '));

	/** Runs SQL as one script and returns what it prints, one row a line and values with `|` in between. */
	const query = async (sql: string) => {
		const url = `postgres://${NAME}@127.0.0.1:${port}/${NAME}`;
		const args = ['-X', '-q', '-At', '-v', 'ON_ERROR_STOP=1', '-c', sql, url];
		return await run(path.join(programs, 'psql'), args, { cwd: tmpdir() });
	};
	return {
		port,
		query,
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_DATABASE: NAME,
			DB_POSTGRESDB_USER: NAME,
		},
		lock: async (forMs: number) =>
			void (await query(
				`BEGIN; LOCK TABLE processed_data IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(${forMs / 1_000}); COMMIT`,
			)),
		stop: async () => stop('fast'),
	};
}

/** The programs of the newest version, if one is installed. */
function postgresFolder(): string | undefined {
	const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
	return versions
		.sort((a, b) => Number(b) - Number(a))
		.map((version) => path.join(DEBIAN_FOLDER, version, 'bin'))
		.find((bin) => existsSync(path.join(bin, 'initdb')));
}

/** Postgres does not run as root. */
function accountOfServer() {
	if (process.getuid?.() !== 0) return undefined;
	const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, NAME])));
	return { uid: uid ?? NaN, gid: gid ?? NaN };
}

/** Holds the only write lock of the whole database, n8n's own default: an SQLite file in its folder. */
export async function lockSqlite(host: Host, userFolder: string, forMs: number): Promise<void> {
	// n8n's own driver, because not every Node has one. pnpm puts it next to n8n.
	const n8n = realpathSync(path.join(host.folder, 'node_modules', 'n8n', 'package.json'));
	const driver = createRequire(n8n).resolve('sqlite3');
	const file = path.join(userFolder, '.n8n', 'database.sqlite');
	const script = path.join(__dirname, 'lockSqlite.cjs');
	await run(nodeFor(host), [script, driver, file, String(forMs)], { cwd: userFolder });
}
