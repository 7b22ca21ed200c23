import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../queue/cluster';

/** What the faults happen to. */
export interface Surroundings {
	cluster: Cluster;
	/** Between n8n and the service's push host. */
	line: Awaited<ReturnType<typeof startLine>>;
	clock: ReturnType<typeof settableClock>;
}

/** How long a process may take to notice. It looks every 50 ms. */
const NOTICED_WITHIN_MS = 500;

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

/** A line to a server on this machine that can be cut, with an address to use instead of the server's. */
export async function startLine(to: string) {
	const target = new URL(to);
	const open = new Set<Socket>();
	const server = createServer((near) => {
		const far = connect(Number(target.port), target.hostname);
		for (const [socket, other] of [
			[near, far],
			[far, near],
		] as const) {
			open.add(socket);
			socket.on('error', () => other.destroy());
			socket.on('close', () => {
				open.delete(socket);
				other.destroy();
			});
		}
		near.pipe(far).pipe(near);
	});
	const listen = async (port: number) =>
		await new Promise<void>((resolve, reject) => {
			server.once('error', reject);
			server.listen(port, target.hostname, resolve);
		});
	/** Ends all connections and takes no new ones. */
	const cut = async () =>
		await new Promise<void>((resolve) => {
			server.close(() => resolve());
			// A reset, as from a router that has lost the connection.
			for (const socket of open) socket.resetAndDestroy();
		});

	await listen(0);
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://${target.hostname}:${port}`,
		cut,
		/** Takes connections again, at the same address. */
		mend: async () => await listen(port),
		close: async () => (server.listening ? await cut() : undefined),
	};
}
