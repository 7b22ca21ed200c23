import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../../../scripts/command';
import { freePort } from '../../../scripts/n8n/ports';
import { Problem } from '../../../scripts/problem';
import { startProgram } from '../serverProgram';
import type { Database } from './database';

const USER = 'postgres';
const N8N_DATABASE = 'postgres';
/** Where Debian installs the programs of each version. They are not on PATH. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';

export interface Postgres extends Database {
	host: string;
	port: number;
	user: string;
	password: string;
	/** Runs SQL as one script and returns what it prints, one row a line and values with `|` in between. */
	query(sql: string, database?: string): Promise<string>;
}

/** A separate Postgres on this machine, with its data in a folder of its own that is deleted in the end. */
export async function startPostgres(): Promise<Postgres> {
	const programs = postgresFolder();
	if (programs === undefined) throw new Problem('The server of Postgres is not installed.');
	const port = await freePort();
	const password = randomBytes(16).toString('hex');
	const account = accountOfServer();
	const folder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-postgres-'));
	const removeFolder = () => rmSync(folder, { recursive: true, force: true });
	let stop: () => Promise<void>;
	try {
		createData(programs, folder, password, account);
		stop = await startServer(programs, folder, port, account);
	} catch (error) {
		removeFolder();
		throw error;
	}
	const query = async (sql: string, database = N8N_DATABASE) => {
		const where = ['-h', '127.0.0.1', '-p', String(port), '-U', USER, '-d', database];
		return await run(
			path.join(programs, 'psql'),
			['-X', '-q', '-At', '-v', 'ON_ERROR_STOP=1', ...where, '-c', sql],
			{ cwd: tmpdir(), env: { ...process.env, PGPASSWORD: password } },
		);
	};
	return {
		host: '127.0.0.1',
		port,
		user: USER,
		password,
		query,
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_DATABASE: N8N_DATABASE,
			DB_POSTGRESDB_USER: USER,
			DB_POSTGRESDB_PASSWORD: password,
		},
		lock: async (forMs) =>
			void (await query(
				`BEGIN; LOCK TABLE processed_data IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(${forMs / 1_000}); COMMIT`,
			)),
		stop: async () => {
			await stop();
			removeFolder();
		},
	};
}

/** The programs of the newest version, if one is installed. */
export function postgresFolder(): string | undefined {
	const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
	return versions
		.sort((a, b) => Number(b) - Number(a))
		.map((version) => path.join(DEBIAN_FOLDER, version, 'bin'))
		.find((bin) => existsSync(path.join(bin, 'initdb')));
}

type Account = ReturnType<typeof accountOfServer>;

/** Postgres does not run as root. Debian's package creates this user. */
function accountOfServer() {
	if (process.getuid?.() !== 0) return undefined;
	const idOf = (flag: string) =>
		Number(execFileSync('id', [flag, USER], { encoding: 'utf8' }).trim());
	return { uid: idOf('-u'), gid: idOf('-g') };
}

function createData(programs: string, folder: string, password: string, account: Account): void {
	const passwordFile = path.join(folder, 'password');
	writeFileSync(passwordFile, password, { mode: 0o600 });
	if (account) for (const file of [folder, passwordFile]) chownSync(file, account.uid, account.gid);
	const settings = [
		...['--pgdata', path.join(folder, 'data'), '--username', USER, '--pwfile', passwordFile],
		...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C.UTF-8', '--no-sync'],
	];
	execFileSync(path.join(programs, 'initdb'), settings, {
		...account,
		cwd: folder,
		stdio: ['ignore', 'ignore', 'pipe'],
	});
}

async function startServer(programs: string, folder: string, port: number, account: Account) {
	const settings = {
		listen_addresses: '127.0.0.1',
		port,
		// By default in a folder of the system, where another server may have one.
		unix_socket_directories: '',
		// Eight processes of two n8n versions take ten each at most.
		max_connections: 100,
	};
	return await startProgram({
		file: path.join(programs, 'postgres'),
		args: [
			...['-D', path.join(folder, 'data')],
			...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
		],
		options: { ...account, cwd: folder },
		port,
		isReady: async () => await acceptsConnections(programs, port),
		// With both, it ends its connections and does not wait for its clients.
		signals: ['SIGINT', 'SIGQUIT'],
	});
}

async function acceptsConnections(programs: string, port: number): Promise<boolean> {
	const args = ['-q', '-h', '127.0.0.1', '-p', String(port)];
	const asking = spawn(path.join(programs, 'pg_isready'), args, { stdio: 'ignore' });
	return await new Promise((resolve) => {
		asking.once('error', () => resolve(false));
		asking.once('exit', (code) => resolve(code === 0));
	});
}
