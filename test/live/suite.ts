import { explain } from '../../scripts/problem';

/** Runs a suite. Everything that it starts ends with this process, however that ends. */
export function runSuite(main: () => Promise<void>): void {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
		process.on(signal, () => process.exit(130));

	main().catch((error: unknown) => {
		console.error(explain(error));
		console.log('0 passed, 1 failed');
		process.exit(1);
	});
}
