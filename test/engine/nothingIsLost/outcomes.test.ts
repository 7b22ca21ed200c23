import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { type IDataObject, LoggerProxy } from 'n8n-workflow';

import type { Report } from '../support/engine';
import { failures, secrets } from '../support/failures';

// Every kind of failure is produced before the first test, with real timeouts and waits.
jest.setTimeout(60_000);

const sent = ['attempts', 'description', 'operation', 'outcome', 'platform', 'resource'];
const ofInvalid = ['operation', 'outcome', 'problems', 'resource'];
const ofRejected = [...sent, 'response', 'statusCode'];
/** By n8n's time-out, or by the node's own where n8n is busy. */
const timedOut = expect.stringMatching(/^E(CONNABORTED|TIMEDOUT)$/) as unknown;
const noAnswer = {
	outcome: 'unknown',
	keys: [...sent, 'code', 'message'],
	says: /^No answer came from http:.*, so it may or may not have been delivered$/,
};

/** Outcome of the failed item, the keys of its details, and words that its message holds. */
const expected: Record<string, { outcome: string; keys: string[]; says: RegExp; code?: unknown }> =
	{
		'an empty field': { outcome: 'invalid', keys: ofInvalid, says: /^Title / },
		'a wrong expression': {
			outcome: 'invalid',
			keys: ofInvalid,
			says: /^The expression in 'Title' cannot be evaluated: .*\. Correct the expression$/s,
		},
		'an unusable address': {
			outcome: 'invalid',
			keys: ['outcome', 'problems'],
			says: /^Push API URL/,
		},
		'an unusable token': {
			outcome: 'invalid',
			keys: ['outcome', 'problems'],
			says: /^Access Token/,
		},
		'too many broadcasts': {
			outcome: 'invalid',
			keys: ofInvalid,
			says: /2 broadcasts to everyone on web/,
		},
		'status 400': {
			outcome: 'rejected',
			keys: ofRejected,
			says: /refused the push(?: to u000000)? \(400\): Caused by a fault of the sandbox$/,
		},
		'status 401': { outcome: 'rejected', keys: ofRejected, says: /credentials \(401\)$/ },
		'status 401 to a token': {
			outcome: 'rejected',
			keys: ofRejected,
			says: /credentials \(401\)$/,
		},
		'an answer that repeats the key': {
			outcome: 'rejected',
			keys: ofRejected,
			says: /refused the push(?: to u000000)? \(400\): /,
		},
		'status 404': {
			outcome: 'rejected',
			keys: ofRejected,
			says: /^Not sent: nothing was found at http:.* \(404\)$/,
		},
		'status 302': {
			outcome: 'unknown',
			keys: ofRejected,
			says: /answered 302, so it may or may not/,
		},
		'status 307': {
			outcome: 'rejected',
			keys: ofRejected,
			says: /\(307\), which is not followed$/,
		},
		'status 408': {
			outcome: 'unknown',
			keys: ofRejected,
			says: /answered 408, so it may or may not/,
		},
		'status 407': {
			outcome: 'notSent',
			keys: [...sent, 'code', 'message', 'reason'],
			says: /^No connection to http:.*, so it was not sent$/,
			code: 'PROXY_REFUSED',
		},
		'status 500': {
			outcome: 'unknown',
			keys: ofRejected,
			says: /answered 500, so it may or may not/,
		},
		'a reset': { ...noAnswer, code: 'ECONNRESET' },
		'a time-out': { ...noAnswer, code: timedOut },
		'a closed port': {
			outcome: 'notSent',
			keys: [...sent, 'code', 'message', 'reason'],
			says: /^No connection to http:.*, so it was not sent$/,
			code: 'ECONNREFUSED',
		},
		'a broken handshake': {
			outcome: 'notSent',
			keys: [...sent, 'code', 'message', 'reason'],
			says: /^No connection to https:.*, so it was not sent$/,
			code: 'ECONNRESET',
		},
		'a certificate': {
			outcome: 'notSent',
			keys: [...sent, 'code', 'message', 'reason'],
			says: /^The certificate of https:.*, so it was not sent$/,
			code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
		},
		'no more waiting': {
			outcome: 'notSent',
			keys: [...sent, 'reason', 'retryAt'],
			says: /longer than 'Max Wait'/,
		},
		Stop: { outcome: 'notSent', keys: [...sent, 'reason'], says: /^The run ended/ },
	};

/** The words that n8n's guidelines avoid in messages, except in the names of its own settings. */
const isUnkind = (text: unknown) =>
	/\b(error|problem|failure|mistake)/i.test(String(text).replace(/On Error|error output/g, ''));

const logged: unknown[] = [];
const told = new Map<string, { goesOn: Report; stops: Report }>();

beforeAll(async () => {
	const log = (...line: unknown[]) => void logged.push(line);
	const recorder = { error: log, warn: log, info: log, debug: log, scoped: () => recorder };
	Container.set(Logger, recorder as unknown as Logger);
	LoggerProxy.init(recorder);
	await Promise.all(
		Object.entries(failures).map(async ([kind, fail]) => {
			const [goesOn, stops] = await Promise.all([
				fail('continueRegularOutput'),
				fail('stopWorkflow'),
			]);
			told.set(kind, { goesOn, stops });
		}),
	);
});

function reportsOf(kind: string) {
	const reports = told.get(kind);
	if (!reports) throw new Error(`No such kind: ${kind}`);
	return reports;
}

function lastOf({ output }: Report) {
	const last = output.at(-1);
	if (!last) throw new Error('There is no output');
	return last;
}

/** Includes what JSON leaves out of an Error, and its cause and context. */
function allText(value: unknown, seen = new Set<object>()): string {
	if (typeof value !== 'object' || value === null) return String(value);
	if (seen.has(value)) return '';
	seen.add(value);
	return Object.getOwnPropertyNames(value)
		.map((name) => `${name}: ${allText((value as Record<string, unknown>)[name], seen)}`)
		.join('\n');
}

test('Every way to fail has an expected outcome', () => {
	expect(Object.keys(expected).sort()).toEqual(Object.keys(failures).sort());
});

const isKeyOfRecipient = (key: string) => ['user_id', 'email', 'mobile'].includes(key);

describe.each(Object.entries(expected))('%s', (kind, { outcome, keys, says, code }) => {
	test('outputs an item that says what happened, under fixed keys', () => {
		const { json, pairedItem } = lastOf(reportsOf(kind).goesOn);
		const details = json.details as IDataObject;

		expect(json).toMatchObject({ error: expect.stringMatching(says) as string, outcome });
		expect(
			Object.keys(json)
				.filter((key) => !isKeyOfRecipient(key))
				.sort(),
		).toEqual([...['details', 'error', 'outcome']]);
		expect(details).toMatchObject({ outcome, ...(code !== undefined && { code }) });
		expect(Object.keys(details).sort()).toEqual([...keys].sort());
		expect(pairedItem).toEqual({ item: reportsOf(kind).goesOn.output.length - 1 });
	});

	test('is described without the words that n8n avoids', () => {
		const { goesOn, stops } = reportsOf(kind);
		const { error, details } = lastOf(goesOn).json;
		const {
			description,
			message,
			problems = [],
		} = details as {
			description?: string;
			message?: string;
			problems?: Array<{ message: string }>;
		};
		const stop = stops.error as { message: string; description?: string } | undefined;

		const texts = [error, description, message, stop?.message, stop?.description];
		texts.push(...problems.map((one) => one.message));
		expect(stop?.message).toBeTruthy();
		expect(texts.filter(isUnkind)).toEqual([]);
	});

	test('stops the workflow with the same words', () => {
		const message = String(reportsOf(kind).stops.error?.message);

		if (outcome === 'invalid') {
			expect(message).toMatch(/^Nothing was sent/);
			return;
		}
		if (kind !== 'Stop') expect(message).toMatch(says);
	});

	test('reveals no secret', () => {
		const { goesOn, stops } = reportsOf(kind);
		const text = [goesOn, stops]
			.map(({ output, hints, error, run }) => allText([output, hints, error, run]))
			.join();

		expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
	});
});

test('The log holds no secret', () => {
	const text = allText(logged);
	expect(text).toContain('Running node');
	expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});
