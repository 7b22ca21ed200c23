import { spawnSync } from 'node:child_process';
import { Problem } from '../../scripts/problem';
import type { DatabaseKind } from './database/database';
import { postgresFolder } from './database/postgres';

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
