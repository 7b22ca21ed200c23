/** Changes the product's code in small ways and counts how often a test notices. Run by `npm run test:mutation`. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { childEnvironment } from '../../scripts/command';
import { cacheFolder, repository } from '../../scripts/paths';
import { explain, Problem } from '../../scripts/problem';
import folders from './folders.cjs';
import { type Mutant, scoreOf, survivorsIn, tableOf } from './report';

const usage = `Usage: npm run test:mutation -- [folders] [options]

  folders      names such as schedule or plan; by default all: ${Object.keys(folders).join(', ')}
  --lines      only these lines, such as nodes/CustomerMessaging/plan/plan.ts:20-40
  --quick      leaves out what runs once when a file is loaded, because all tests run against it
  --report     runs nothing, and shows the last results once more
  --help       this text

Only what changed since the last run is tested again. To start anew, delete .cache/mutation.
`;

async function main(): Promise<void> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			lines: { type: 'string' },
			quick: { type: 'boolean', default: false },
			report: { type: 'boolean' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) return console.log(usage);
	const chosen = positionals.length === 0 ? Object.keys(folders) : positionals;
	for (const folder of chosen) {
		if (!(folder in folders)) throw new Problem(`No tests are listed for a folder ${folder}`);
		if (!values.report) await mutate(folder, values);
	}
	const results = chosen.flatMap((folder) => resultsOf(folder));
	for (const { survivors } of results) for (const line of survivors) console.log(line);
	console.log(`\n${tableOf(results)}`);
}

/** Runs Stryker, which writes what it finds to the file that {@link resultsOf} reads. */
async function mutate(
	folder: string,
	{ lines, quick }: { lines?: string; quick: boolean },
): Promise<void> {
	const stryker = path.join(repository, 'node_modules/@stryker-mutator/core/bin/stryker.js');
	const config = path.join(__dirname, 'stryker.config.mjs');
	const only = lines ? ['--mutate', lines] : [];
	const env = childEnvironment({
		MUTATED_FOLDER: folder,
		MUTATION_QUICK: quick ? 'yes' : 'no',
		PROPERTY_RUNS: process.env.PROPERTY_RUNS ?? '5',
	});
	const child = spawn(process.execPath, [stryker, 'run', config, ...only], {
		cwd: repository,
		env,
		stdio: 'inherit',
	});
	const code = await new Promise((resolve) => child.on('close', resolve));
	if (code !== 0) throw new Problem(`Stryker ended with ${String(code)}`);
}

function resultsOf(folder: string) {
	const file = path.join(cacheFolder, 'mutation', `${folder}.json`);
	if (!existsSync(file)) return [];
	const { files } = JSON.parse(readFileSync(file, 'utf8')) as {
		files: Record<string, { source: string; mutants: Mutant[] }>;
	};
	const mutants = Object.values(files).flatMap((one) => one.mutants);
	const survivors = Object.entries(files).flatMap(([name, one]) => survivorsIn(name, one));
	return [{ folder, survivors, ...scoreOf(mutants) }];
}

main().catch((error: unknown) => {
	console.error(explain(error));
	process.exitCode = 1;
});
