import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Fault } from '../../../sandbox';
import { pause, skewToMinuteEnd, useFastClock } from '../support/clock';
import { execute, type Order } from '../support/engine';
import { everythingIn } from '../support/everything';
import { startHangingUpServer, startUntrustedServer, unusedAddress } from '../support/localServer';
import { accountOf, roomySandbox } from '../support/node';
import { push, rowsOf } from '../support/sends';

// Some of these runs try several times, with a wait before each try.
useFastClock(10);

const secret = 'wrong-key-0815';
const sent = ['attempts', 'description', 'operation', 'outcome', 'platform', 'resource'];
const ofInvalid = ['operation', 'outcome', 'problems', 'resource'];
const ofCredential = ['outcome', 'problems'];
const answered = [...sent, 'response', 'statusCode'];
const unanswered = [...sent, 'code', 'message'];
const unconnected = [...unanswered, 'reason'];
const noAnswer = /^No answer came from http:.*, so it may or may not have been delivered$/;
const noConnection = /^No connection to https?:.*, so it was not sent$/;
const refused = /refused the request.* \(400\): Caused by a fault of the sand/;
const untrusted =
	/^The certificate of https:.*, or that of a proxy, was not accepted, so it was not sent$/;

interface Failing {
	fault?: Fault;
	/** A server in place of the sandbox. */
	server?: () => Promise<{ url: string; close(): Promise<unknown> }>;
	account?: object;
	order?: Partial<Order>;
	settings?: () => Parameters<typeof roomySandbox>[0];
	code?: unknown;
}
const withStatus = (status: number): Failing => ({ fault: { kind: 'status', status } });
const pushOf = (more: object): Failing => ({ order: { parameters: { ...push(), ...more } } });
const twoOf = (more = {}) => ({ parameters: push({ concurrency: 1, ...more }), rows: rowsOf(2) });

const reset: Failing = { fault: { kind: 'resetAfterAccept' }, code: 'ECONNRESET' };
const closed: Failing = { account: { pushUrl: unusedAddress() }, code: 'ECONNREFUSED' };
const hangingUp: Failing = { server: startHangingUpServer, code: 'ECONNRESET' };
const selfSigned: Failing = { server: startUntrustedServer, code: 'DEPTH_ZERO_SELF_SIGNED_CERT' };

type Row = [name: string, outcome: string, keys: string[], says: RegExp, failing: Failing];
const row = (...one: Row) => one;

/** The ways to fail, with what the last item says. */
const failures = [
	row('an empty field', 'invalid', ofInvalid, / in Title is empty/, pushOf({ title: '={{ "" }}' })),
	row('too many broadcasts', 'invalid', ofInvalid, /2 broadcasts to everyone on web/, {
		order: { parameters: { ...push(), operation: 'broadcastAll' }, rows: rowsOf(2) },
	}),
	row('an unusable address', 'invalid', ofCredential, /^Push API URL/, {
		account: { pushUrl: `http://u:${secret}@x.example` },
	}),
	row('an unusable token', 'invalid', ofCredential, /^Access Token/, {
		...pushOf({ authentication: 'partnerToken' }),
		account: { accessToken: `${secret}\nand` },
	}),
	row('400', 'rejected', answered, refused, withStatus(400)),
	row('401', 'rejected', answered, /credentials \(401\)/, { account: { apiKey: secret } }),
	row('407', 'notSent', unconnected, noConnection, { ...withStatus(407), code: 'PROXY_REFUSED' }),
	row('a reset', 'unknown', unanswered, noAnswer, reset),
	// By n8n's time-out, or by the node's own where n8n is busy.
	row('a time-out', 'unknown', unanswered, noAnswer, {
		...{ fault: { kind: 'hang' }, ...pushOf({ options: { requestTimeout: 1 } }) },
		code: expect.stringMatching(/^E(CONNABORTED|TIMEDOUT)$/),
	}),
	row('a closed port', 'notSent', unconnected, noConnection, closed),
	row('a broken handshake', 'notSent', unconnected, noConnection, hangingUp),
	row('a certificate', 'notSent', unconnected, untrusted, selfSigned),
	row('no wait', 'notSent', [...sent, 'reason', 'retryAt'], /longer than 'Max Wait'/, {
		settings: () => ({ limits: { push: 1 }, clockSkewMs: skewToMinuteEnd(50_000) }),
		order: twoOf({ maxWait: 0 }),
	}),
	row('Stop', 'notSent', [...sent, 'reason'], /^The run ended/, {
		fault: { kind: 'hang' },
		order: { ...twoOf(), started: (stop) => void pause(3_000).then(stop) },
	}),
];

async function fail(failing: Failing, onError: Order['onError']) {
	const sandbox = await roomySandbox(failing.settings?.());
	if (failing.fault) sandbox.faults.add(failing.fault);
	const server = await failing.server?.();
	const pushUrl = server?.url ?? sandbox.urls.pushUrl;
	const report = await execute({
		...{ parameters: push({ requestTimeout: 10 }), rows: rowsOf(1), onError, ...failing.order },
		credential: { ...accountOf(sandbox), pushUrl, ...failing.account },
	});
	await Promise.all([sandbox.close(), server?.close()]);
	return { ...report, requests: sandbox.record.length };
}

/** The words that n8n's guidelines avoid in messages, except in the names of its own settings. */
const isUnkind = (text: unknown) =>
	/\b(error|problem|failure|mistake)/i.test(String(text).replace(/On Error|error output/g, ''));

test.each(failures)('%s is told kindly as %s', async (kind, outcome, keys, says, failing) => {
	const going = fail(failing, 'continueRegularOutput');
	const [goesOn, stops] = await Promise.all([going, fail(failing, 'stopWorkflow')]);
	const { json, pairedItem } = goesOn.output.at(-1) as INodeExecutionData;
	const details = json.details as IDataObject;
	expect(pairedItem).toEqual({ item: goesOn.output.length - 1 });
	expect(json).toMatchObject({ error: expect.stringMatching(says) as string, outcome });
	const { user_id: _, ...others } = json;
	expect(Object.keys(others).sort()).toEqual(['details', 'error', 'outcome']);
	expect(details).toMatchObject({ outcome, ...('code' in failing && { code: failing.code }) });
	expect(Object.keys(details).sort()).toEqual([...keys].sort());

	if (outcome === 'unknown') expect([goesOn.requests, stops.requests]).toEqual([1, 1]);
	const { message = '', description } = (stops.error ?? {}) as Partial<Record<string, string>>;
	// What the service answered is in the description, because n8n's log gets the message.
	const answered = `${message}: ${description?.replace('The service answered: ', '')}`;
	if (outcome === 'invalid') expect(message).toMatch(/^Nothing was sent/);
	else if (kind !== 'Stop') expect(says.test(message) ? message : answered).toMatch(says);
	expect(message).toBeTruthy();
	const { problems = [] } = details as { problems?: Array<{ message: string }> };
	const texts = [json.error, details.description, details.message, message, description];
	expect([...texts, ...problems.map((one) => one.message)].filter(isUnkind)).toEqual([]);
	expect(everythingIn([goesOn, stops])).not.toContain(secret);
});
