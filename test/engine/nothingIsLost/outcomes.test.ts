import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import {
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INodeExecutionData,
	LoggerProxy,
} from 'n8n-workflow';

import type { Fault } from '../../../sandbox';
import { execute, type Order, type Report } from '../support/engine';
import { useFastClock } from '../support/fastClock';
import {
	startHangingUpServer,
	startServer,
	startUntrustedServer,
	unusedAddress,
} from '../support/localServer';
import { accountOf, pause, push, roomySandbox, rowsOf, skewToMinuteEnd } from '../support/sends';

// Some of these runs try several times, with a wait before each try.
useFastClock(10);

/** Every secret that these runs use. */
const secrets = ['sandbox-key', 'sandbox-token', 'wrong-key-0815', 'a-token-with\nan end'];

const sent = ['attempts', 'description', 'operation', 'outcome', 'platform', 'resource'];
const notSent = [...sent, 'code', 'message', 'reason'];
const ofInvalid = ['operation', 'outcome', 'problems', 'resource'];
const rejected = [...sent, 'response', 'statusCode'];
const noAnswer = /^No answer came from http:.*, so it may or may not have been delivered$/;
const noConnection = /^No connection to https?:.*, so it was not sent$/;

interface Failing {
	/** What the last item of the run says: its outcome, the keys of its details, and its message. */
	outcome: string;
	keys: string[];
	says: RegExp;
	code?: unknown;
	fault?: Fault;
	/** A server in place of the sandbox. */
	server?: () => Promise<{ url: string; close(): Promise<unknown> }>;
	credential?: ICredentialDataDecryptedObject;
	order?: Partial<Order>;
	settings?: () => Parameters<typeof roomySandbox>[0];
}

const answering = (status: number, says: RegExp, outcome = 'rejected'): Failing => ({
	fault: { kind: 'status', status },
	outcome,
	keys: rejected,
	says,
});
const redirecting = (status: number, says: RegExp, outcome: string): Failing => ({
	...answering(status, says, outcome),
	server: async () =>
		await startServer((response) => response.writeHead(status, { location: '/' }).end()),
});
const byToken = { ...push(), authentication: 'partnerToken' };

/** The ways to fail by name. */
const failures: Record<string, Failing> = {
	'an empty field': {
		order: { parameters: { ...push(), title: '={{ "" }}' } },
		outcome: 'invalid',
		keys: ofInvalid,
		says: /^Title /,
	},
	'a wrong expression': {
		order: { parameters: { ...push(), title: '={{ $("Nowhere").item.json.id }}' } },
		outcome: 'invalid',
		keys: ofInvalid,
		says: /^The expression in 'Title' cannot be evaluated: .*\. Correct the expression$/s,
	},
	'an unusable address': {
		credential: { pushUrl: 'http://user:wrong-key-0815@shop.example' },
		outcome: 'invalid',
		keys: ['outcome', 'problems'],
		says: /^Push API URL/,
	},
	'an unusable token': {
		credential: { accessToken: 'a-token-with\nan end' },
		order: { parameters: byToken },
		outcome: 'invalid',
		keys: ['outcome', 'problems'],
		says: /^Access Token/,
	},
	'too many broadcasts': {
		order: { parameters: { ...push(), operation: 'broadcastAll' }, rows: rowsOf(2) },
		outcome: 'invalid',
		keys: ofInvalid,
		says: /2 broadcasts to everyone on web/,
	},
	'status 302': redirecting(302, /answered 302, so it may or may not/, 'unknown'),
	'status 307': redirecting(307, /\(307\), which is not followed$/, 'rejected'),
	'status 400': answering(
		400,
		/refused the push (?:to u000000 )?\(400\): Caused by a fault of the sandbox$/,
	),
	'status 401': {
		...answering(401, /credentials \(401\)$/),
		fault: undefined,
		credential: { apiKey: 'wrong-key-0815' },
	},
	'status 401 to a token': {
		...answering(401, /credentials \(401\)$/),
		credential: { accessToken: 'sandbox-token' },
		order: { parameters: byToken },
	},
	'status 404': answering(404, /^Not sent: nothing was found at http:.* \(404\)$/),
	'status 407': {
		...answering(407, noConnection, 'notSent'),
		keys: notSent,
		code: 'PROXY_REFUSED',
	},
	'status 408': answering(408, /answered 408, so it may or may not/, 'unknown'),
	'status 500': answering(500, /answered 500, so it may or may not/, 'unknown'),
	'an answer that repeats the key': {
		...answering(400, /refused the push (?:to u000000 )?\(400\): /),
		server: async () =>
			await startServer((response, { headers }) =>
				response.writeHead(400).end(JSON.stringify(headers)),
			),
	},
	'a reset': {
		fault: { kind: 'resetAfterAccept' },
		outcome: 'unknown',
		keys: [...sent, 'code', 'message'],
		says: noAnswer,
		code: 'ECONNRESET',
	},
	'a time-out': {
		fault: { kind: 'hang' },
		order: { parameters: push({ requestTimeout: 1 }) },
		outcome: 'unknown',
		keys: [...sent, 'code', 'message'],
		says: noAnswer,
		// By n8n's time-out, or by the node's own where n8n is busy.
		code: expect.stringMatching(/^E(CONNABORTED|TIMEDOUT)$/) as unknown,
	},
	'a closed port': {
		credential: { pushUrl: unusedAddress() },
		outcome: 'notSent',
		keys: notSent,
		says: noConnection,
		code: 'ECONNREFUSED',
	},
	'a broken handshake': {
		server: startHangingUpServer,
		outcome: 'notSent',
		keys: notSent,
		says: noConnection,
		code: 'ECONNRESET',
	},
	'a certificate': {
		server: startUntrustedServer,
		outcome: 'notSent',
		keys: notSent,
		says: /^The certificate of https:.*, so it was not sent$/,
		code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
	},
	'no more waiting': {
		settings: () => ({ limits: { push: 1 }, clockSkewMs: skewToMinuteEnd(50_000) }),
		order: { parameters: push({ maxWait: 0, concurrency: 1 }), rows: rowsOf(2) },
		outcome: 'notSent',
		keys: [...sent, 'reason', 'retryAt'],
		says: /longer than 'Max Wait'/,
	},
	Stop: {
		fault: { kind: 'hang' },
		order: {
			parameters: push({ concurrency: 1 }),
			rows: rowsOf(2),
			started: (stop) => void pause(3_000).then(stop),
		},
		outcome: 'notSent',
		keys: [...sent, 'reason'],
		says: /^The run ended/,
	},
};

async function fail(failing: Failing, onError: Order['onError']): Promise<Report> {
	const sandbox = await roomySandbox(failing.settings?.());
	if (failing.fault) sandbox.faults.add(failing.fault);
	const server = await failing.server?.();
	const address = server && { pushUrl: server.url };
	const report = await execute({
		parameters: push({ requestTimeout: 10 }),
		rows: rowsOf(1),
		onError,
		...failing.order,
		credential: { ...accountOf(sandbox), ...address, ...failing.credential },
	});
	await Promise.all([sandbox.close(), server?.close()]);
	return report;
}

/** The words that n8n's guidelines avoid in messages, except in the names of its own settings. */
const isUnkind = (text: unknown) =>
	/\b(error|problem|failure|mistake)/i.test(String(text).replace(/On Error|error output/g, ''));

const logged: unknown[] = [];

beforeAll(() => {
	const log = (...line: unknown[]) => void logged.push(line);
	const recorder = { error: log, warn: log, info: log, debug: log, scoped: () => recorder };
	Container.set(Logger, recorder as unknown as Logger);
	LoggerProxy.init(recorder);
});

/** Includes what JSON leaves out of an Error, and its cause and context. */
function allText(value: unknown, seen = new Set<object>()): string {
	if (typeof value !== 'object' || value === null) return String(value);
	if (seen.has(value)) return '';
	seen.add(value);
	return Object.getOwnPropertyNames(value)
		.map((name) => `${name}: ${allText((value as Record<string, unknown>)[name], seen)}`)
		.join('\n');
}

test.each(Object.entries(failures))(
	'%s is told under fixed keys and in kind words, with each On Error, and reveals no secret',
	async (kind, failing) => {
		const { outcome, keys, says, code } = failing;
		const [goesOn, stops] = await Promise.all([
			fail(failing, 'continueRegularOutput'),
			fail(failing, 'stopWorkflow'),
		]);

		const { json, pairedItem } = goesOn.output.at(-1) as INodeExecutionData;
		const details = json.details as IDataObject;
		expect(pairedItem).toEqual({ item: goesOn.output.length - 1 });
		expect(json).toMatchObject({ error: expect.stringMatching(says) as string, outcome });
		expect(
			Object.keys(json)
				.filter((key) => key !== 'user_id')
				.sort(),
		).toEqual(['details', 'error', 'outcome']);
		expect(details).toMatchObject({ outcome, ...(code !== undefined && { code }) });
		expect(Object.keys(details).sort()).toEqual([...keys].sort());

		const { message = '', description } = (stops.error ?? {}) as Partial<Record<string, string>>;
		if (kind !== 'Stop')
			expect(message).toMatch(outcome === 'invalid' ? /^Nothing was sent/ : says);
		expect(message).toBeTruthy();
		const { problems = [] } = details as { problems?: Array<{ message: string }> };
		const texts = [json.error, details.description, details.message, message, description];
		expect([...texts, ...problems.map((one) => one.message)].filter(isUnkind)).toEqual([]);

		const told = [goesOn, stops].map(({ output, hints, error, run }) => [
			output,
			hints,
			error,
			run,
		]);
		const text = allText([told, logged]);
		expect(text).toContain('Running node');
		expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
	},
);
