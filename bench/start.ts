import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { npm } from '../scripts/command';
import { repository } from '../scripts/paths';
import type { Bench, Chapter, Part } from './part';
import { number, spread, told } from './statistics';

const HOSTS_OWN = ['n8n-workflow', 'zod', 'luxon'];
const FILES = [
	'nodes/CustomerMessaging/CustomerMessaging.node.js',
	'credentials/CustomerMessagingApi.credentials.js',
	'credentials/CustomerMessagingPartnerApi.credentials.js',
].map((file) => path.join(repository, 'dist', file));

/** Loads first what n8n has already loaded, then the package. Prints how many milliseconds each took. */
const PROGRAM = `
const timed = (names) => { const from = performance.now(); names.forEach((name) => require(name)); return performance.now() - from; };
console.log(JSON.stringify({ hostMs: timed(${JSON.stringify(HOSTS_OWN)}), packageMs: timed(${JSON.stringify(FILES)}) }));
`;

interface Loaded {
	hostMs: number;
	packageMs: number;
}

interface Data {
	loads: Loaded[];
	packed: number;
	unpacked: number;
	files: number;
}

async function measure({ isQuick }: Bench): Promise<Data> {
	const loads: Loaded[] = [];
	for (let round = 0; round < (isQuick ? 5 : 25); round++) {
		const { stdout } = await promisify(execFile)(process.execPath, ['-e', PROGRAM], {
			cwd: repository,
		});
		loads.push(JSON.parse(stdout) as Loaded);
	}
	const listed = await npm(['pack', '--dry-run', '--json', '--ignore-scripts'], {
		cwd: repository,
	});
	const [packed] = JSON.parse(listed) as Array<{
		size: number;
		unpackedSize: number;
		entryCount: number;
	}>;
	if (!packed) throw new Error('npm pack listed no package');
	return { loads, packed: packed.size, unpacked: packed.unpackedSize, files: packed.entryCount };
}

function chapter({ loads, packed, unpacked, files }: Data): Chapter {
	const own = spread(loads.map(({ packageMs }) => packageMs));
	const cold = spread(loads.map(({ hostMs, packageMs }) => hostMs + packageMs));
	const kilobytes = (bytes: number) => `${number(bytes / 1_000, 1)} kB`;
	return {
		how:
			`${loads.length} fresh processes load \`${HOSTS_OWN.join('`, `')}\`, which n8n has loaded long before, then the node and both credentials. ` +
			'Sizes are those of `npm pack`.',
		tables: [
			{
				head: ['', ''],
				rows: [
					['loading the package', told(own, 1, ' ms')],
					[`the same, ${HOSTS_OWN.join(', ')} included`, told(cold, 1, ' ms')],
					['packed', kilobytes(packed)],
					['unpacked', kilobytes(unpacked)],
					['files', number(files)],
				],
			},
		],
		charts: [],
		targets: [
			{
				what: 'loading',
				asked: '< 30 ms',
				measured: told(own, 1, ' ms'),
				isReached: own.median < 30,
			},
			{
				what: 'unpacked',
				asked: '< 300 kB',
				measured: kilobytes(unpacked),
				isReached: unpacked < 300_000,
			},
		],
	};
}

export const start: Part<Data> = { number: 6, title: 'Start', measure, chapter };
