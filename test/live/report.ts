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

	count(outcome: Outcome): number {
		return [...this.outcomes.values()]
			.flatMap((row) => [...row.values()])
			.filter((value) => value === outcome).length;
	}

	/** A suite that checked nothing has not passed. */
	exitCode(): 0 | 1 {
		return this.count('failed') === 0 && this.count('passed') > 0 ? 0 : 1;
	}

	table(): string {
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
