import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { npm } from '../scripts/command';
import { repository } from '../scripts/paths';
import type { Bench, Chapter, Part } from './part';
import { number, spread, told } from './statistics';

const HOSTS_OWN = ['n8n-workflow', 'zod'];
const FILES = [
	'nodes/CustomerMessaging/CustomerMessaging.node.js',
	'credentials/CustomerMessagingApi.credentials.js',
	'credentials/CustomerMessagingPartnerApi.credentials.js',
].map((file) => path.join(repository, 'dist', file));

/** Loads Luxon, what else n8n has loaded already, then the package; prints how many milliseconds each took. */
const PROGRAM = `
const timed = (names) => { const from = performance.now(); names.forEach((name) => require(name)); return performance.now() - from; };
console.log(JSON.stringify({ luxonMs: timed(['luxon']), hostMs: timed(${JSON.stringify(HOSTS_OWN)}), packageMs: timed(${JSON.stringify(FILES)}) }));
`;

interface Loaded {
	luxonMs: number;
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
	const luxon = spread(loads.map(({ luxonMs }) => luxonMs));
	const overLuxon = spread(loads.map(({ luxonMs, packageMs }) => packageMs / luxonMs));
	const kilobytes = (bytes: number) => `${number(bytes / 1_000, 1)} kB`;
	return {
		figures: [
			{
				what: 'loading the package, packed, unpacked',
				ours: [
					`${number(own.median)} ms`,
					...[packed, unpacked].map((bytes) => `${number(bytes / 1_000)} kB`),
				].join(', '),
				others: '',
			},
		],
		how:
			`${loads.length} fresh processes load \`luxon\`, \`${HOSTS_OWN.join('`, `')}\`, then the node and both credentials. ` +
			'Sizes are those of `npm pack`.',
		tables: [
			{
				head: ['', ''],
				rows: [
					['loading the package', told(own, 1, ' ms')],
					['loading Luxon', told(luxon, 1, ' ms')],
					['the package over Luxon, process by process', told(overLuxon)],
					['packed', kilobytes(packed)],
					['unpacked', kilobytes(unpacked)],
					['files', number(files)],
				],
			},
		],
		targets: [
			{
				what: 'unpacked',
				asked: '< 650 kB',
				measured: kilobytes(unpacked),
				isReached: unpacked < 650_000,
			},
		],
	};
}

export const start: Part<Data> = { number: 6, title: 'Start', measure, chapter };
