import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a process may take to notice. It looks every 50 ms. */
const NOTICED_WITHIN_MS = 500;

export type SettableClock = ReturnType<typeof settableClock>;

/**
 * The clock of all processes that start with its environment: what Node's `Date` says can be set. Timers go on as before,
 * as when the clock of a machine is set. The clocks of Redis, of the database and of the service stay right.
 */
export function settableClock() {
	const folder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-clock-'));
	const file = path.join(folder, 'ahead-ms');
	writeFileSync(file, '0');
	return {
		env: {
			NODE_OPTIONS: `--require ${JSON.stringify(path.join(__dirname, 'settableClock.cjs'))}`,
			CLOCK_AHEAD_FILE: file,
		},
		/** Sets it so far ahead of this machine's clock. */
		async set(aheadMs: number) {
			// A process must not read half of it.
			writeFileSync(`${file}.new`, String(aheadMs));
			renameSync(`${file}.new`, file);
			await sleep(NOTICED_WITHIN_MS);
		},
		close: async () => rmSync(folder, { recursive: true, force: true }),
	};
}
