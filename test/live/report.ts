import { setTimeout as sleep } from 'node:timers/promises';
import { explain } from '../../scripts/problem';
import { say, sayAs } from '../../scripts/steps';

/** Several times what the longest scenario takes. One that never ends must not keep the suite from ending. */
export const MAX_SCENARIO_MS = 15 * 60_000;

/** The results of scenarios, each in a column such as an n8n version. */
export class Report {
	private readonly passed = new Map<string, boolean>();

	/** Runs one scenario. An error is shown and counted, and the suite continues. One failure of several runs counts. */
	async check(
		column: string,
		scenario: string,
		work: () => Promise<void>,
		maxMs = MAX_SCENARIO_MS,
	): Promise<void> {
		const name = `${column}: ${scenario}`;
		const startedAt = Date.now();
		try {
			const late = sleep(maxMs, undefined, { ref: false }).then(() => {
				throw new Error(`It has not ended within ${maxMs / 60_000} min`);
			});
			await Promise.race([sayAs(column, work), late]);
			this.passed.set(name, this.passed.get(name) ?? true);
			say(`✓ ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
		} catch (error) {
			this.passed.set(name, false);
			say(`✗ ${name}: ${explain(error)}`);
		}
	}

	/** Starts something as the first scenario of a column, plays others on it one after another, and stops it. */
	async play<Stage extends { stop(): Promise<void> }>(
		column: string,
		[title, start]: readonly [title: string, start: () => Promise<Stage>],
		scenarios: Iterable<
			readonly [title: string, play: (stage: Stage) => Promise<void>, ...unknown[]]
		>,
	): Promise<void> {
		let started: Stage | undefined;
		await this.check(column, title, async () => {
			started = await start();
		});
		const stage = started;
		if (!stage) return;
		for (const [each, play] of scenarios)
			await this.check(column, each, async () => await play(stage));
		await stage.stop();
	}

	/** Prints the results. A suite that checked nothing has not passed. */
	print(): 0 | 1 {
		const failed = [...this.passed].flatMap(([name, hasPassed]) => (hasPassed ? [] : name));
		for (const name of failed) console.log(`✗ ${name}`);
		const passed = this.passed.size - failed.length;
		console.log(`${passed} passed, ${failed.length} failed`);
		return failed.length === 0 && passed > 0 ? 0 : 1;
	}
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
