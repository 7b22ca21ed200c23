import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { holderOf, tryLock } from '../lock.cjs';
import { startWith } from '../platform';
import { Problem } from '../problem';
import { say } from '../steps';

export const dataVariable = 'CUSTOMER_MESSAGING_DATA';

/** The parts that each start needs for itself. */
const second = { [dataVariable]: '.n8n-data-2', N8N_PORT: 5680, SANDBOX_PORT: 8790 };

/** n8n ends by itself when the process that started it is gone. */
const ENDS_WITHIN_MS = 30_000;

const lockPath = (userFolder: string) => path.join(userFolder, 'in-use.lock');
const n8nLockPath = (userFolder: string) => path.join(userFolder, 'n8n.lock');

/**
 * Locks the folder for this process, because two n8n's must not open the same database. If the last start
 * was killed, waits until its n8n has ended too.
 *
 * @param editor the address of the editor that will use it
 * @throws Problem if another start uses the folder
 */
export async function takeFolder(userFolder: string, editor: string): Promise<void> {
	const file = lockPath(userFolder);
	const holder = tryLock(file, editor);
	if (holder) {
		throw new Problem(
			`npm start is already running with the data in ${userFolder} (process ${holder.pid}, n8n at ${holder.note}). ` +
				'Use that one, or stop it with Ctrl-C first. To run a second one, give it a folder and ports of its own: ' +
				`${startWith(second)}. If there is no such process, delete ${file}.`,
		);
	}
	const n8nLock = n8nLockPath(userFolder);
	const deadline = Date.now() + ENDS_WITHIN_MS;
	for (let n8n = holderOf(n8nLock); n8n; n8n = holderOf(n8nLock)) {
		if (Date.now() > deadline) {
			throw new Problem(
				`The n8n of the last start still runs with the data in ${userFolder} (process ${n8n.pid}). ` +
					`Stop it and run the same command again. If there is no such process, delete ${n8nLock}.`,
			);
		}
		if (deadline - Date.now() > ENDS_WITHIN_MS - 500)
			say('The last start was ended by force. Waiting for its n8n to end …');
		await sleep(500);
	}
}

/** Records which process is the n8n of the folder. */
export function noteN8n(userFolder: string, pid: number): void {
	tryLock(n8nLockPath(userFolder), '', pid);
}
