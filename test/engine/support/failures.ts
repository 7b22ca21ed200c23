import type { ICredentialDataDecryptedObject, OnError } from 'n8n-workflow';

import type { Fault } from '../../../sandbox';
import { execute, type Order, type Report } from './engine';
import { accountOf, pause, push, roomySandbox, rowsOf, skewToMinuteEnd } from './sends';
import {
	unusedAddress,
	startHangingUpServer,
	startServer,
	startUntrustedServer,
} from './localServer';

/** Every secret that these runs use. */
export const secrets = ['sandbox-key', 'sandbox-token', 'wrong-key-0815', 'a-token-with\nan end'];

type Change = Partial<Order> & { credential?: ICredentialDataDecryptedObject };

/** One execution that fails in a way of its own: a row, a fault of the service, or a change of the order. */
async function failWith(
	onError: OnError,
	fault: Fault | undefined,
	change: Change = {},
): Promise<Report> {
	const sandbox = await roomySandbox();
	if (fault) sandbox.faults.add(fault);
	const { credential, ...order } = change;
	const report = await execute({
		parameters: push({ requestTimeout: fault?.kind === 'hang' ? 1 : 10 }),
		rows: rowsOf(1),
		credential: { ...accountOf(sandbox), ...credential },
		onError,
		...order,
	});
	await sandbox.close();
	return report;
}

async function failAt(onError: OnError, pushUrl: string): Promise<Report> {
	return await failWith(onError, undefined, { credential: { pushUrl } });
}

async function redirected(onError: OnError, status: number): Promise<Report> {
	const server = await startServer((response) =>
		response.writeHead(status, { location: '/' }).end(),
	);
	return await failBehind(server, onError);
}

async function failBehind(
	server: { url: string; close(): Promise<void> },
	onError: OnError,
): Promise<Report> {
	const report = await failAt(onError, server.url);
	await server.close();
	return report;
}

async function echoed(onError: OnError): Promise<Report> {
	const server = await startServer((response, request) =>
		response.writeHead(400).end(JSON.stringify(request.headers)),
	);
	return await failBehind(server, onError);
}

async function stopped(onError: OnError): Promise<Report> {
	const started = (stop: () => void) => void pause(300).then(stop);
	const change = { started, rows: rowsOf(2), parameters: push({ concurrency: 1 }) };
	return await failWith(onError, { kind: 'hang' }, change);
}

async function outOfRoom(onError: OnError): Promise<Report> {
	const sandbox = await roomySandbox({ limits: { push: 1 }, clockSkewMs: skewToMinuteEnd(50_000) });
	const report = await execute({
		parameters: push({ maxWait: 0, concurrency: 1 }),
		rows: rowsOf(2),
		credential: accountOf(sandbox),
		onError,
	});
	await sandbox.close();
	return report;
}

const partner = { accessToken: 'sandbox-token' };

/** Kinds of failure by name. In each run, the last item is the one that fails. */
export const failures: Record<string, (onError: OnError) => Promise<Report>> = {
	'an empty field': (onError) =>
		failWith(onError, undefined, { parameters: { ...push(), title: '={{ "" }}' } }),
	'a wrong expression': (onError) =>
		failWith(onError, undefined, {
			parameters: { ...push(), title: '={{ $("Nowhere").item.json.id }}' },
		}),
	'an unusable address': (onError) => failAt(onError, 'http://user:wrong-key-0815@shop.example'),
	'an unusable token': (onError) =>
		failWith(onError, undefined, {
			credential: { accessToken: 'a-token-with\nan end' },
			parameters: { ...push(), authentication: 'partnerToken' },
		}),
	'too many broadcasts': (onError) =>
		failWith(onError, undefined, {
			parameters: { ...push(), operation: 'broadcastAll' },
			rows: rowsOf(2),
		}),
	'status 400': (onError) => failWith(onError, { kind: 'status', status: 400 }),
	'status 401': (onError) =>
		failWith(onError, undefined, { credential: { apiKey: 'wrong-key-0815' } }),
	'status 401 to a token': (onError) =>
		failWith(
			onError,
			{ kind: 'status', status: 401 },
			{
				credential: partner,
				parameters: { ...push(), authentication: 'partnerToken' },
			},
		),
	'an answer that repeats the key': echoed,
	'status 404': (onError) => failWith(onError, { kind: 'status', status: 404 }),
	'status 302': (onError) => redirected(onError, 302),
	'status 307': (onError) => redirected(onError, 307),
	'status 408': (onError) => failWith(onError, { kind: 'status', status: 408 }),
	'status 407': (onError) => failWith(onError, { kind: 'status', status: 407 }),
	'status 500': (onError) => failWith(onError, { kind: 'status', status: 500 }),
	'a reset': (onError) => failWith(onError, { kind: 'resetAfterAccept' }),
	'a time-out': (onError) => failWith(onError, { kind: 'hang' }),
	'a closed port': async (onError) => await failAt(onError, unusedAddress()),
	'a broken handshake': async (onError) => await failBehind(await startHangingUpServer(), onError),
	'a certificate': async (onError) => await failBehind(await startUntrustedServer(), onError),
	'no more waiting': outOfRoom,
	Stop: stopped,
};
