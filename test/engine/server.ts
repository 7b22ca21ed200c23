import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	type Server,
	type ServerResponse,
} from 'node:http';
import { type AddressInfo, createServer as createRawServer } from 'node:net';
import { createServer as createSecureServer } from 'node:https';

export interface LocalServer {
	url: string;
	requests: number;
	/** Requests that were open at once, at the most. */
	mostAtOnce: number;
	close(): Promise<void>;
}

/** A server on this machine that answers as the test says. */
export async function startServer(
	answer: (response: ServerResponse, request: IncomingMessage) => void,
): Promise<LocalServer> {
	const local: LocalServer = { url: '', requests: 0, mostAtOnce: 0, close: async () => {} };
	let open = 0;
	return await listen(local, 'http', (request, response) => {
		local.requests++;
		local.mostAtOnce = Math.max(local.mostAtOnce, ++open);
		response.on('close', () => open--);
		request.resume().on('end', () => answer(response, request));
	});
}

/** A server whose certificate nobody vouches for. */
export async function startUntrustedServer(): Promise<LocalServer> {
	const local: LocalServer = { url: '', requests: 0, mostAtOnce: 0, close: async () => {} };
	return await listen(local, 'https', (_request, response) => {
		local.requests++;
		response.end('{}');
	});
}

/** An https address that hangs up before the two ends have agreed on anything. */
export async function startHangingUpServer(): Promise<{ url: string; close(): Promise<void> }> {
	const server = createRawServer((socket) => socket.once('data', () => socket.destroy()));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: async () => await new Promise((resolve) => server.close(() => resolve())),
	};
}

/** An address at which nobody listens. */
export async function deadAddress(): Promise<string> {
	const server = await startServer(() => {});
	await server.close();
	return server.url;
}

async function listen(local: LocalServer, scheme: 'http' | 'https', listener: RequestListener) {
	const server: Server =
		scheme === 'http' ? createServer(listener) : createSecureServer({ key, cert }, listener);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	local.url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
	local.close = async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	};
	return local;
}

/** Of 127.0.0.1, signed by itself, and of no use anywhere else. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgl56g3aGztmRb8Xgq
YHpWstni8sfmNc4Vm6au8lH1mjuhRANCAATgo8Wp8xC9HheV8L+znUsNBTiNpjgk
5y5RDby1W08nwhscj54ewyhiVHSPYYT8Iz09z4tPoQkiis3rJCx0Z2S9
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBjzCCATagAwIBAgIURPfMFlD5ZWuJlUM0I5x+3cG0saQwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMTEyMDc0OFoYDzIxMjYxMDI4
MTIwNzQ4WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATgo8Wp8xC9HheV8L+znUsNBTiNpjgk5y5RDby1W08nwhscj54ewyhi
VHSPYYT8Iz09z4tPoQkiis3rJCx0Z2S9o2QwYjAdBgNVHQ4EFgQUJO/NzaSFuNVs
4fxX6vwuLVlBfnowHwYDVR0jBBgwFoAUJO/NzaSFuNVs4fxX6vwuLVlBfnowDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0cAMEQC
IAaYXHuZpeu5bK0qOcnFvygLINWfIJ4+5aCVTJsMQ95ZAiBzcw/6jJMIwCgHoyGv
L4WpgrcVXyi73jvNIkJ+VM9vmA==
-----END CERTIFICATE-----`;
