import { Socket } from 'node:net';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { LoggerProxy } from 'n8n-workflow';

import { type Order, type Report, execute } from '../../support/engine';
import { everythingIn } from '../../support/everything';
import { type LocalServer, startServer, startServerAnswering } from '../../support/localServer';
import { ampleLimits, limitFields } from '../../support/node';
import type { Attempt } from './places';

/** Secrets that occur nowhere else. If one appears, it has leaked. */
export const secrets = { apiKey: 'canary-key-7f3a91', accessToken: 'canary-token-52be08' };

/** Limits that are so high that no test waits for them. */
export const limits = limitFields(ampleLimits);

const account = { brandId: 'brand', ...secrets, ...limits };

/** The secrets that appear anywhere in what a run left behind. */
export function leaksIn(...leftBehind: unknown[]): string[] {
	const text = leftBehind.map(everythingIn).join('\n');
	return Object.values(secrets).filter((secret) => text.includes(secret));
}

/** Everything that the node and n8n itself log from now on. */
export function recordLog(): unknown[] {
	const logged: unknown[] = [];
	const keep = (...entry: unknown[]) => void logged.push(entry);
	const recorder = { error: keep, warn: keep, info: keep, debug: keep, scoped: () => recorder };
	Container.set(Logger, recorder as unknown as Logger);
	LoggerProxy.init(recorder);
	return logged;
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
		logged: [] as unknown[],
	};
	beforeAll(() => void (service.logged = recordLog()));
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
	const bench = {
		server: undefined as unknown as LocalServer,
		/** Hosts and ports to which this process tried to connect. */
		connections: [] as string[],
		logged: [] as unknown[],
		run: async ({ credential, ...attempt }: Attempt, onError?: Order['onError']): Promise<Report> =>
			await execute({
				...attempt,
				onError,
				credential: { ...bench.server.urls, ...account, ...credential },
			}),
	};

	beforeAll(async () => {
		bench.server = await startServerAnswering(200, { 'content-type': 'application/json' }, '{}');
		bench.logged = recordLog();
		// eslint-disable-next-line @typescript-eslint/unbound-method -- called below with the socket as its `this`
		const connect = Socket.prototype.connect;
		const spy = jest.spyOn(Socket.prototype, 'connect');
		spy.mockImplementation(function (this: Socket, ...args: unknown[]) {
			// As node:http calls it, whether or not its arguments are in a list.
			const { host, port } = args.flat()[0] as { host?: string; port?: number };
			bench.connections.push(`${host}:${port}`);
			if (host === '127.0.0.1') return Reflect.apply(connect, this, args) as Socket;
			// Nothing leaves this machine. With this code, the node does not try again.
			const refusal = Object.assign(new Error('kept on this machine'), { code: 'CERT_REJECTED' });
			setImmediate(() => this.destroy(refusal));
			return this;
		});
	});
	beforeEach(() => {
		for (const list of [bench.server.received, bench.connections, bench.logged]) list.length = 0;
	});
	afterAll(async () => {
		jest.restoreAllMocks();
		await bench.server.close();
	});
	return bench;
}
