import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { allHosts, canRun, findHost, type Host } from '../../scripts/n8n/hosts';
import { buildTarball } from '../../scripts/n8n/package';
import { step } from '../../scripts/steps';
import { readCommandLine } from '../commandLine';
import { startBench } from './crashable';
import { installByPage } from './installation';
import { checkNpmStart } from './npmStart';
import { runSuite, type Report } from './report';
import { scenarios } from './scenario';

/** The newest version has the most to do. Each n8n takes the next scenario when it is done with one. */
const SERVERS_OF_NEWEST = 2;

const INSTALLS = "The page's npm command installs, and n8n starts";

/** What n8n 3 changes and n8n 2 can be set to do. The sandbox is at 127.0.0.1, and the host is allowed by this name. */
const settingsOfN8n3 = {
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
	N8N_SSRF_PROTECTION_ENABLED: 'true',
	N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost',
};

/**
 * `main.ts [--all] [version…] [words…]`: most scenarios on the newest n8n that runs on this machine, and on the others
 * those in which n8n versions differ most; with `--all`, all scenarios on all, and on the newest what n8n 3 changes. And
 * `npm start`, unless versions are named. Words choose the scenarios whose title holds one of them.
 */
async function main(report: Report): Promise<void> {
	const { versions, isAsked, takesAll } = readCommandLine();
	const hosts = versions.length > 0 ? versions.map(findHost) : allHosts().filter(canRun);
	const folder = path.join(__dirname, 'scenarios');
	for (const file of readdirSync(folder)) createRequire(__filename)(path.join(folder, file));
	const tarball = await step('Building and packing the node', buildTarball);
	const newest = allHosts().find(canRun);
	const checks = hosts.flatMap((host) => {
		const isNewest = host.version === newest?.version;
		const places = ['everywhere', ...(takesAll || isNewest ? ['newest'] : [])];
		if (takesAll) places.push('nightly');
		const toRun = scenarios.filter(({ title, where }) => places.includes(where) && isAsked(title));
		const servers = Array<string>(isNewest ? SERVERS_OF_NEWEST : 1).fill(host.version);
		const works = playOn(report, host, tarball, servers, toRun);
		if (!isNewest || !takesAll) return works;
		const like3 = scenarios.filter(({ title, where }) => where === 'as n8n 3' && isAsked(title));
		const column = `${host.version} set as n8n 3`;
		return [...works, ...playOn(report, host, tarball, [column], like3, settingsOfN8n3)];
	});
	if (versions.length === 0 && isAsked('npm start')) checks.push(checkNpmStart(report));
	await Promise.all(checks);
}

/** Runs scenarios on as many n8n as there are columns, but on no more than there are scenarios. */
function playOn(
	report: Report,
	host: Host,
	tarball: string,
	columns: string[],
	toRun: typeof scenarios,
	env?: NodeJS.ProcessEnv,
): Array<Promise<void>> {
	const start = async () => await startBench(host, tarball, { env, install: installByPage });
	const next = toRun.map(({ title, play }) => [title, play] as const).values();
	return columns
		.slice(0, toRun.length)
		.map(async (column) => await report.play(column, [INSTALLS, start], next));
}

runSuite(main);
