import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

export type Line = Awaited<ReturnType<typeof startLine>>;

/** A line to a server on this machine that can be cut, with an address to use instead of the server's. */
export async function startLine(to: string) {
	const target = new URL(to);
	const open = new Set<Socket>();
	const server = createServer((near) => {
		open.add(near);
		near.once('close', () => open.delete(near));
		pipeline(near, connect(Number(target.port), target.hostname), near, () => {});
	});
	const listen = async (port: number) => {
		server.listen(port, target.hostname);
		await once(server, 'listening');
	};
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
	};
}
