import { once } from 'node:events';
import * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';

export type LocalServer = Awaited<ReturnType<typeof listen>>;

interface Received extends Pick<http.IncomingMessage, 'method' | 'headers'> {
	path?: string;
	body: string;
}

type Answer = (response: http.ServerResponse, request: http.IncomingMessage, body: string) => void;

/** A server on this machine that responds as the test says, also in ways in which the sandbox never does. */
export const startServer = async (answer: Answer) =>
	await listen('http', http.createServer(), answer);

export const startServerAnswering = async (
	status: number,
	headers: Record<string, string>,
	body: string,
) => await startServer((response) => response.writeHead(status, headers).end(body));

export const startUntrustedServer = async () =>
	await listen('https', https.createServer({ key, cert: certificate }), (response) =>
		response.end('{}'),
	);

/** An HTTP proxy that answers each CONNECT with the bytes that `answer` returns, and hangs up. */
export const startRefusingProxy = async (answer: () => string) =>
	await startRawServer('http', (socket) => socket.end(answer()));

/** An https address that closes the connection before the TLS handshake is complete. */
export const startHangingUpServer = async () =>
	await startRawServer('https', (socket) => socket.destroy());

async function startRawServer(scheme: string, begun: (socket: net.Socket) => unknown) {
	const server = net.createServer((socket) => {
		socket.on('error', () => {});
		socket.once('data', () => begun(socket));
	});
	const url = await addressOf(scheme, server);
	return { url, close: async () => await new Promise((resolve) => server.close(resolve)) };
}

/**
 * An address at which nobody listens. A port that was just closed will not do: another test's server
 * may get it. Ports below 1024 are never handed out, and nothing uses this one any more.
 */
export const unusedAddress = () => 'http://127.0.0.1:1';

/** With a name where it is https: Node warns of a TLS server name that is an IP address. */
async function addressOf(scheme: string, server: net.Server): Promise<string> {
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const host = scheme === 'https' ? 'localhost' : '127.0.0.1';
	return `${scheme}://${host}:${(server.address() as net.AddressInfo).port}`;
}

async function listen(scheme: string, server: http.Server, answer: Answer) {
	const url = await addressOf(scheme, server);
	const local = {
		url,
		/** The same address for all three hosts, as credentials hold them. */
		urls: { baseUrl: url, pushUrl: url, mailUrl: url },
		requests: 0,
		received: [] as Received[],
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
		const { method, url: path, headers } = request;
		local.requests++;
		let body = '';
		request.on('data', (chunk: Buffer) => (body += chunk.toString()));
		request.on('end', () => {
			local.received.push({ method, path, headers, body });
			answer(response, request, body);
		});
	});
	return local;
}

/** Of localhost and 127.0.0.1, signed by itself, and of no use anywhere else. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgdUFDn2KBlcaxAcZT
yevD71+ccqjXjszx6g6qOBu/Y/ShRANCAAQA3XaOttMkUovzSEjEyPN7ogYkySRb
2T8AptswT7sJW4zFXdQhWA+oK7zbfQC+th/FxkItRItrBdBxJxIPA5py
-----END PRIVATE KEY-----`;
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUH3WKrhgqUCLbaL91G7YOPUGRpWkwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNzE5MjgyMloYDzIxMjYxMTAz
MTkyODIyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQA3XaOttMkUovzSEjEyPN7ogYkySRb2T8AptswT7sJW4zFXdQhWA+o
K7zbfQC+th/FxkItRItrBdBxJxIPA5pyo28wbTAdBgNVHQ4EFgQUDNUBJ05XP0qn
CYwZ8szXlU2lTEcwHwYDVR0jBBgwFoAUDNUBJ05XP0qnCYwZ8szXlU2lTEcwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgHqAxxNA+vayUyUQYVJxsxLuyoTnlr5iSwQtbTptlemECIQC3
VV8bs/L5JU5Fq5B5xuHhgU1ye4WFHjn2ywJztsCa5Q==
-----END CERTIFICATE-----`;
