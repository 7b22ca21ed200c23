import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Fault } from '../../../sandbox';
import { pause, skewToMinuteEnd, useFastClock } from '../support/clock';
import { execute, type Order } from '../support/engine';
import { everythingIn } from '../support/everything';
import {
	startHangingUpServer,
	startServer,
	startUntrustedServer,
	unusedAddress,
} from '../support/localServer';
import { accountOf, roomySandbox } from '../support/node';
import { push, rowsOf } from '../support/sends';

// Some of these runs try several times, with a wait before each try.
useFastClock(10);

const sent = ['attempts', 'description', 'operation', 'outcome', 'platform', 'resource'];
const ofInvalid = ['operation', 'outcome', 'problems', 'resource'];
const answered = [...sent, 'response', 'statusCode'];
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
	credential?: object;
	order?: Partial<Order>;
	settings?: () => Parameters<typeof roomySandbox>[0];
}

type More = Partial<Failing>;
const invalid = (says: RegExp, order: Partial<Order>, more: More = {}): Failing => ({
	...{ outcome: 'invalid', keys: ofInvalid, says, order },
	...more,
});
const answering = (status: number, outcome: string, says: RegExp, more: More = {}): Failing => ({
	...{ fault: { kind: 'status', status }, outcome, keys: answered, says },
	...more,
});
const redirecting = async () =>
	await startServer((response) => response.writeHead(307, { location: '/' }).end());
const unanswered = (
	kind: 'resetAfterAccept' | 'hang',
	code: unknown,
	more: More = {},
): Failing => ({
	...{ fault: { kind }, outcome: 'unknown', keys: [...sent, 'code', 'message'] },
	...{ says: noAnswer, code },
	...more,
});
const unconnected = (code: string, says: RegExp, more: More): Failing => ({
	...{ outcome: 'notSent', keys: [...sent, 'code', 'message', 'reason'], says, code },
	...more,
});
const secret = 'wrong-key-0815';
const unusable = (credential: object): More => ({ keys: ['outcome', 'problems'], credential });
const byToken = { parameters: { ...push(), authentication: 'partnerToken' } };
const ofRequest = { parameters: { ...push(), operation: 'broadcastAll' }, rows: rowsOf(2) };
const oneByOne = (options = {}) => ({
	parameters: push({ concurrency: 1, ...options }),
	rows: rowsOf(2),
});
const brokenExpression =
	/^The expression in 'Title' cannot be evaluated: .*\. Correct the expression$/s;
const untrusted = /^The certificate of https:.*, so it was not sent$/;

/** The ways to fail by name. */
const failures: Record<string, Failing> = {
	'an empty field': invalid(/^Title /, { parameters: { ...push(), title: '={{ "" }}' } }),
	'a wrong expression': invalid(brokenExpression, {
		parameters: { ...push(), title: '={{ $("Nowhere").item.json.id }}' },
	}),
	'an unusable address': invalid(
		/^Push API URL/,
		{},
		unusable({ pushUrl: `http://u:${secret}@x.example` }),
	),
	'an unusable token': invalid(
		/^Access Token/,
		byToken,
		unusable({ accessToken: `${secret}\nand` }),
	),
	'too many broadcasts': invalid(/2 broadcasts to everyone on web/, ofRequest),
	'status 307': answering(307, 'rejected', /\(307\), which is not followed$/, {
		server: redirecting,
	}),
	'status 400': answering(
		400,
		'rejected',
		/refused the push.* \(400\): Caused by a fault of the sand/,
	),
	'status 401': answering(401, 'rejected', /credentials \(401\)$/, {
		fault: undefined,
		credential: { apiKey: secret },
	}),
	'status 404': answering(404, 'rejected', /^Not sent: nothing was found at http:.* \(404\)$/),
	'status 407': unconnected('PROXY_REFUSED', noConnection, {
		fault: { kind: 'status', status: 407 },
	}),
	'status 500': answering(500, 'unknown', /answered 500, so it may or may not/),
	'a reset': unanswered('resetAfterAccept', 'ECONNRESET'),
	// By n8n's time-out, or by the node's own where n8n is busy.
	'a time-out': unanswered('hang', expect.stringMatching(/^E(CONNABORTED|TIMEDOUT)$/), {
		order: { parameters: push({ requestTimeout: 1 }) },
	}),
	'a closed port': unconnected('ECONNREFUSED', noConnection, {
		credential: { pushUrl: unusedAddress() },
	}),
	'a broken handshake': unconnected('ECONNRESET', noConnection, { server: startHangingUpServer }),
	'a certificate': unconnected('DEPTH_ZERO_SELF_SIGNED_CERT', untrusted, {
		server: startUntrustedServer,
	}),
	'no more waiting': {
		settings: () => ({ limits: { push: 1 }, clockSkewMs: skewToMinuteEnd(50_000) }),
		order: oneByOne({ maxWait: 0 }),
		...{ outcome: 'notSent', keys: [...sent, 'reason', 'retryAt'], says: /longer than 'Max Wait'/ },
	},
	Stop: {
		fault: { kind: 'hang' },
		order: { ...oneByOne(), started: (stop) => void pause(3_000).then(stop) },
		...{ outcome: 'notSent', keys: [...sent, 'reason'], says: /^The run ended/ },
	},
};

async function fail(failing: Failing, onError: Order['onError']) {
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
	return { ...report, requests: sandbox.record.length };
}

/** The words that n8n's guidelines avoid in messages, except in the names of its own settings. */
const isUnkind = (text: unknown) =>
	/\b(error|problem|failure|mistake)/i.test(String(text).replace(/On Error|error output/g, ''));

test.each(Object.entries(failures))(
	'%s is told under fixed keys and in kind words, with each On Error',
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

		if (outcome === 'unknown') expect([goesOn.requests, stops.requests]).toEqual([1, 1]);

		const { message = '', description } = (stops.error ?? {}) as Partial<Record<string, string>>;
		if (kind !== 'Stop')
			expect(message).toMatch(outcome === 'invalid' ? /^Nothing was sent/ : says);
		expect(message).toBeTruthy();
		const { problems = [] } = details as { problems?: Array<{ message: string }> };
		const texts = [json.error, details.description, details.message, message, description];
		expect([...texts, ...problems.map((one) => one.message)].filter(isUnkind)).toEqual([]);

		expect(everythingIn([goesOn, stops])).not.toContain(secret);
	},
);
