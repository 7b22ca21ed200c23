import { Socket } from 'node:net';

import { type Order, execute } from '../../support/engine';
import { everythingIn } from '../../support/everything';
import { type LocalServer, startServer } from '../../support/localServer';
import { useLog } from '../../support/logLines';
import { ampleLimits, limitFields } from '../../support/node';
import type { Attempt } from './places';

/** Secrets that occur nowhere else. If one appears, it has leaked. */
export const secrets = { apiKey: 'canary-key-7f3a91', accessToken: 'canary-token-52be08' };

/** With limits that are so high that no test waits for them. */
const account = { brandId: 'brand', ...secrets, ...limitFields(ampleLimits) };

/** The secrets that appear anywhere in what a run left behind. */
export function leaksIn(...leftBehind: unknown[]): string[] {
	const text = leftBehind.map(everythingIn).join('\n');
	return Object.values(secrets).filter((secret) => text.includes(secret));
}

export type Answer = [
	status: number,
	body?: unknown,
	headers?: Record<string, string>,
	reason?: string,
];
export type Answering = (headers: object) => Answer;

/** A service at a new address for each test, so that no outage concerns the next. It answers, or else hangs up. */
export function useService() {
	const service = {
		server: undefined as unknown as LocalServer,
		answer: undefined as Answering | undefined,
		/** What the node and n8n itself logged. */
		logged: [] as unknown[],
		run: async ({ credential, ...order }: Attempt & Partial<Order>) =>
			await execute({
				...order,
				credential: { ...service.server.urls, ...account, ...credential },
			}),
	};
	useLog((_level, ...entry) => service.logged.push(entry));
	beforeEach(async () => {
		service.answer = undefined;
		service.logged.length = 0;
		service.server = await startServer((response, { headers: sent }) => {
			if (!service.answer) return response.destroy();
			const [status, body = '', headers = {}, reason = ''] = service.answer(sent);
			response.statusMessage = reason;
			const text = typeof body === 'string' ? body : JSON.stringify(body);
			return response.writeHead(status, headers).end(text);
		});
	});
	afterEach(async () => await service.server.close());
	return service;
}

/** A service that accepts everything, and a record of every connection and of n8n's log. */
export function useBench() {
	const service = useService();
	/** Hosts and ports to which this process tried to connect. */
	const connections: string[] = [];
	beforeAll(() => {
		// eslint-disable-next-line @typescript-eslint/unbound-method -- called below with the socket as its `this`
		const connect = Socket.prototype.connect;
		const spy = jest.spyOn(Socket.prototype, 'connect');
		spy.mockImplementation(function (this: Socket, ...args: unknown[]) {
			// As node:http calls it, whether or not its arguments are in a list.
			const { host, port } = args.flat()[0] as { host?: string; port?: number };
			connections.push(`${host}:${port}`);
			if (host === '127.0.0.1') return Reflect.apply(connect, this, args) as Socket;
			// Nothing leaves this machine. With this code, the node does not try again.
			const refusal = Object.assign(new Error('kept on this machine'), { code: 'CERT_REJECTED' });
			setImmediate(() => this.destroy(refusal));
			return this;
		});
	});
	beforeEach(() => {
		service.answer = () => [200, {}];
		connections.length = 0;
	});
	afterAll(() => jest.restoreAllMocks());
	return Object.assign(service, { connections });
}
