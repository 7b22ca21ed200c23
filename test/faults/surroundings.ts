import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Cluster } from '../queue/cluster';

/** What the faults happen to. */
export interface Surroundings {
	cluster: Cluster;
	/** Between n8n and the service's push host. */
	line: Awaited<ReturnType<typeof startLine>>;
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
