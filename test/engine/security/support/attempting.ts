import { Socket } from 'node:net';

import { startServerAnswering, type LocalServer } from '../../support/localServer';
import { type Report, execute } from '../../support/engine';
import { limits, recordLog } from './canaries';
import { secrets } from './secrets';
import type { Attempt } from './places';

export interface Bench {
	server: LocalServer;
	/** Hosts and ports to which this process tried to connect. */
	connections: string[];
	/** What n8n was asked to log. */
	logged: unknown[];
	/** Runs an attempt. */
	run(attempt: Attempt, onError?: 'continueErrorOutput'): Promise<Report>;
}

/** A service that accepts everything, and a record of every connection and of n8n's log. */
export function useBench(): Bench {
	const bench: Bench = {
		server: undefined as unknown as LocalServer,
		connections: [],
		logged: [],
		run: async ({ credential, parameters, rows }, onError) => {
			const { urls } = bench.server;
			return await execute({
				parameters,
				rows,
				onError,
				credential: { ...urls, brandId: 'brand', ...secrets, ...limits, ...credential },
			});
		},
	};

	beforeAll(async () => {
		bench.server = await startServerAnswering(200, { 'content-type': 'application/json' }, '{}');
		bench.logged = recordLog();
		// eslint-disable-next-line @typescript-eslint/unbound-method -- called below with the socket as its `this`
		const connect = Socket.prototype.connect;
		jest.spyOn(Socket.prototype, 'connect').mockImplementation(function (
			this: Socket,
			...args: unknown[]
		) {
			const { host, port } = addressOf(args);
			bench.connections.push(`${host}:${port}`);
			if (host === '127.0.0.1') return Reflect.apply(connect, this, args) as Socket;
			// Nothing leaves this machine. With this code, the node does not try again.
			const refusal = Object.assign(new Error('kept on this machine'), { code: 'CERT_REJECTED' });
			setImmediate(() => this.destroy(refusal));
			return this;
		});
	});
	beforeEach(() => {
		bench.server.received.length = 0;
		bench.connections.length = 0;
		bench.logged.length = 0;
	});
	afterAll(async () => {
		jest.restoreAllMocks();
		await bench.server.close();
	});
	return bench;
}

/** The target of `connect(options)` as node:http calls it, whether or not its arguments are in a list. */
function addressOf(args: unknown[]): { host?: string; port?: number } {
	const [first] = args.flat();
	return typeof first === 'object' && first !== null ? first : { port: Number(first) };
}
