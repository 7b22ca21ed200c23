import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
	method?: string;
	path?: string;
	headers: IncomingHttpHeaders;
	body: string;
}

export interface Answering {
	url: string;
	urls: { baseUrl: string; pushUrl: string; mailUrl: string };
	/** What was asked of it, oldest first. */
	asked: Asked[];
	close(): Promise<void>;
}

/** A server that gives one and the same answer to everything: what the sandbox would never say. */
export async function answering(
	status: number,
	headers: Record<string, string>,
	body: string,
): Promise<Answering> {
	const asked: Asked[] = [];
	const server = createServer((request, response) => {
		let text = '';
		request.on('data', (chunk: Buffer) => (text += chunk.toString()));
		request.on('end', () => {
			asked.push({
				method: request.method,
				path: request.url,
				headers: request.headers,
				body: text,
			});
			response.writeHead(status, headers).end(body);
		});
	});
	const url = await listening(server);
	return {
		url,
		urls: { baseUrl: url, pushUrl: url, mailUrl: url },
		asked,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** An address of this machine at which nothing listens. */
export async function closedAddress(): Promise<string> {
	const server = createServer();
	const url = await listening(server);
	await new Promise((resolve) => server.close(resolve));
	return url;
}

async function listening(server: Server): Promise<string> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
