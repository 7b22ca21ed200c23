import { setTimeout as sleep } from 'node:timers/promises';
import { explain } from '../../scripts/problem';
import { say, sayAs } from '../../scripts/steps';

type Outcome = 'passed' | 'failed';

/** Several times what the longest scenario takes. One that never ends must not keep the suite from ending. */
const MAX_SCENARIO_MS = 15 * 60_000;

/** A table of scenarios and results, with a column for each n8n version. */
export class Report {
	private readonly outcomes = new Map<string, Map<string, Outcome>>();

	/** Runs one scenario. An error is shown and counted, and the suite continues. One failure of several runs counts. */
	async check(column: string, scenario: string, work: () => Promise<void>): Promise<boolean> {
		const row = this.outcomes.get(scenario) ?? new Map<string, Outcome>();
		this.outcomes.set(scenario, row);
		const startedAt = Date.now();
		try {
			await Promise.race([sayAs(column, work), neverEnds()]);
			if (row.get(column) !== 'failed') row.set(column, 'passed');
			say(`✓ ${column}: ${scenario} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
			return true;
		} catch (error) {
			row.set(column, 'failed');
			say(`✗ ${column}: ${scenario}: ${explain(error)}`);
			return false;
		}
	}

	/** Prints the results. A suite that checked nothing has not passed. */
	print(): 0 | 1 {
		const all = [...this.outcomes.values()].flatMap((row) => [...row.values()]);
		const passed = all.filter((outcome) => outcome === 'passed').length;
		if (all.length > 0) console.log(`\n${this.table()}\n`);
		console.log(`${passed} passed, ${all.length - passed} failed`);
		return all.length === passed && passed > 0 ? 0 : 1;
	}

	private table(): string {
		const columns = [...new Set([...this.outcomes.values()].flatMap((row) => [...row.keys()]))];
		const width = Math.max(...[...this.outcomes.keys()].map((scenario) => scenario.length));
		const line = (first: string, cells: string[]) =>
			[first.padEnd(width), ...cells.map((cell, index) => cell.padEnd(columns[index]?.length ?? 0))]
				.join('  ')
				.trimEnd();
		const rows = [...this.outcomes].map(([scenario, row]) =>
			line(
				scenario,
				columns.map((column) => row.get(column) ?? '-'),
			),
		);
		return [line('', columns), ...rows].join('\n');
	}
}

async function neverEnds(): Promise<never> {
	await sleep(MAX_SCENARIO_MS, undefined, { ref: false });
	throw new Error(`It has not ended within ${MAX_SCENARIO_MS / 60_000} min`);
}

/** Runs a suite, and prints its report. Everything that it starts ends with this process, however that ends. */
export function runSuite(main: (report: Report) => Promise<void>): void {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
		process.on(signal, () => process.exit(130));

	const report = new Report();
	main(report).then(
		() => process.exit(report.print()),
		(error: unknown) => {
			console.error(explain(error));
			console.log('0 passed, 1 failed');
			process.exit(1);
		},
	);
}
