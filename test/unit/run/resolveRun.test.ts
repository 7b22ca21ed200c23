import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import type { N8n } from '../../../nodes/CustomerMessaging/n8n/context';
import { resolveRun } from '../../../nodes/CustomerMessaging/run/resolveRun';
import { VirtualClock } from '../../../simulation/virtualClock';
import { fakeN8n } from '../../../simulation/fakeN8n';

const push = { resource: 'push', operation: 'send' };
const broadcast = { resource: 'push', operation: 'broadcastAll' };
const toUsers = { resource: 'user', operation: 'create' };
const custom = { resource: 'customRequest', operation: 'post', host: 'mailUrl', api: 'reporting' };
const question = { resource: 'push', operation: 'sendAndWait' };

const account: ICredentialDataDecryptedObject = {
	brandId: 'brand',
	apiKey: 'key-12345',
	accessToken: 'token-12345',
	baseUrl: 'https://api.example.com',
	pushUrl: 'https://push.example.com',
	mailUrl: 'https://mail.example.com',
	testRecipient: true,
	testUserId: 'me',
};

interface Given extends Partial<Omit<N8n, 'execution'>> {
	execution?: Partial<N8n['execution']>;
	credential?: ICredentialDataDecryptedObject;
	items?: object[];
	context?: IDataObject;
}

async function resolve(
	parameters: Record<string, unknown>,
	{ execution, credential = account, items = [{}], context = {}, ...more }: Given = {},
) {
	const usedTypes: string[] = [];
	const n8n: N8n = {
		...fakeN8n(new VirtualClock(0), () => {
			throw new Error('Nothing is sent before every row is checked');
		}),
		read: (name) => parameters[name] ?? null,
		raw: (name) => parameters[name] ?? null,
		getCredential: async (type) => {
			usedTypes.push(type);
			return { id: '1', name: 'Account', type, data: credential };
		},
		memory: () => ({ context, runIndex: 0, execution: '1' }),
		answerUrl: () => 'https://n8n.example.com/wait',
		...more,
		execution: {
			id: '1',
			nodeId: 'node',
			mode: 'trigger',
			establishedAtMs: 1_000,
			firstMode: 'trigger',
			...execution,
		},
	};
	const run = await resolveRun(
		n8n,
		items.map(() => ({ json: {} })),
	);
	return { run, usedTypes, context };
}

const messagesOf = async (parameters: Record<string, unknown>, given?: Given) => {
	const { run } = await resolve(parameters, given);
	return 'problems' in run ? run.problems.map(({ field, message }) => `${field}: ${message}`) : [];
};

test.each([
	['a resource', { ...push, resource: 'fax' }],
	['an operation', { ...push, operation: 'shout' }],
	['an operation of another resource', { ...push, operation: 'create' }],
	['an authentication', { ...push, authentication: 'password' }],
	['an authentication that every object has', { ...push, authentication: 'toString' }],
])('A run with %s that does not exist is refused', async (_, parameters) => {
	expect(await messagesOf(parameters)).toEqual([
		'operation: Resource, Operation or Authentication is not known. Select them again',
	]);
});

test.each([
	[undefined, 'customerMessagingApi', 'brand'],
	['apiKey', 'customerMessagingApi', 'brand'],
	['partnerToken', 'customerMessagingPartnerApi', 'token-12345'],
])('With the authentication %s, the run uses %s', async (authentication, type, identity) => {
	const { run, usedTypes } = await resolve({ ...push, authentication });
	expect(usedTypes).toEqual([type]);
	expect(run).toMatchObject({ account: { identity }, credential: { id: '1', data: account } });
});

test('A push goes to the push address, and counts against the limit of pushes', async () => {
	expect((await resolve(push)).run).toMatchObject({
		resource: 'push',
		operation: { value: 'send' },
		origin: 'https://push.example.com',
		target: { host: 'pushUrl', api: 'push' },
	});
});

test('A custom request goes to the address that was chosen, and counts against the limit that was chosen', async () => {
	expect((await resolve(custom)).run).toMatchObject({
		origin: 'https://mail.example.com',
		target: { host: 'mailUrl', api: 'reporting' },
	});
});

test('Everything that is wrong in options, credential and address is told at once', async () => {
	const parameters = { ...custom, host: 'x', api: 'y', options: { requestTimeout: 0 } };
	const messages = await messagesOf(parameters, { credential: { ...account, apiKey: '' } });
	expect(messages).toEqual([
		expect.stringMatching(/^requestTimeout: Request Timeout/),
		expect.stringMatching(/^apiKey: API Key/),
		'host: Host is not known. Select it again',
		'api: API is not known. Select it again',
	]);
});

test("Where n8n cannot give the credential, the run is refused in n8n's words", async () => {
	const getCredential = jest.fn().mockRejectedValue(new Error('Credential with ID 1 is missing'));
	expect(await messagesOf(push, { getCredential })).toEqual([
		'credential: Credential with ID 1 is missing',
	]);
});

describe('A run', () => {
	const byHand = { execution: { mode: 'manual', firstMode: 'manual' } };
	const previews = async (parameters: Record<string, unknown>, given?: Given) => {
		const { run } = await resolve(parameters, given);
		if ('problems' in run) return run.problems;
		const { isPreview, isTestRun, showsCampaigns, testRecipient } = run;
		return { isPreview, isTestRun, showsCampaigns, test: testRecipient?.value };
	};
	const sends = { isPreview: false, isTestRun: false, showsCampaigns: false, test: undefined };

	it('by its trigger sends, whatever a run by hand would do', async () => {
		for (const testRuns of ['preview', 'testRecipient', 'send', undefined])
			expect(await previews({ ...broadcast, testRuns })).toEqual(sends);
	});

	it('by hand of a broadcast only shows it unless it is set to send', async () => {
		expect(await previews(broadcast, byHand)).toEqual({
			...sends,
			isPreview: true,
			isTestRun: true,
		});
		expect(await previews({ ...broadcast, testRuns: 'send' }, byHand)).toEqual(sends);
	});

	it('by hand of a message to one person sends it, and only shows those to a campaign', async () => {
		expect(await previews(push, byHand)).toEqual({ ...sends, showsCampaigns: true });
	});

	it('by hand of users sends them', async () => {
		expect(await previews({ ...toUsers, testRuns: 'preview' }, byHand)).toEqual(sends);
	});

	it('that sends a test to the test recipient shows all else', async () => {
		const parameters = { ...broadcast, testRuns: 'testRecipient' };
		expect(await previews(parameters, byHand)).toEqual({ ...sends, isPreview: true, test: 'me' });
	});

	it('with Preview Only sends nothing, not even a test', async () => {
		const options = { previewOnly: true };
		const shows = { ...sends, isPreview: true };
		expect(await previews({ ...push, options })).toEqual(shows);
		expect(await previews({ ...push, options }, byHand)).toEqual(shows);
		expect(await previews({ ...push, options, testRuns: 'testRecipient' }, byHand)).toEqual(shows);
	});

	it('that sends a test needs a test recipient, a real run needs none', async () => {
		const parameters = { ...push, testRuns: 'testRecipient' };
		const credential = { ...account, testUserId: '' };
		expect(await previews(parameters, { credential })).toEqual(sends);
		expect(await previews(parameters, { ...byHand, credential })).toEqual([
			{ field: 'testRuns', message: expect.stringContaining('Test User ID') as string },
		]);
	});
});

describe('A retry of which n8n does not say what it retries', () => {
	const retry: Given = {
		execution: { mode: 'retry', firstMode: 'retry', establishedAtMs: undefined },
	};
	const start =
		'execution: This is a retry of an execution that was interrupted, and n8n stored neither how it was started nor what it had sent.';
	const advice = `${start} Check in the account what was sent, then start the workflow from its trigger with the rows that are missing`;
	const adviceOnce = `${start} If that execution had Send Once on too, start the workflow from its trigger with the same rows: it skips what was sent. Otherwise check in the account what was sent, then start it with the rows that are missing`;

	it('sends no message, because it may have been sent', async () => {
		expect(await messagesOf(push, retry)).toEqual([advice]);
	});

	it('tells with Send Once how to go on safely', async () => {
		expect(await messagesOf({ ...push, sendOnce: true }, retry)).toEqual([adviceOnce]);
	});

	it('may create users again, because that overwrites', async () => {
		expect(await messagesOf(toUsers, retry)).toEqual([]);
	});

	it('may show what it would send', async () => {
		expect(await messagesOf({ ...push, options: { previewOnly: true } }, retry)).toEqual([]);
	});

	it('goes on where the execution had been interrupted', async () => {
		const known = { mode: 'retry', firstMode: 'trigger', establishedAtMs: 1_000 };
		expect(await messagesOf(push, { execution: known })).toEqual([]);
		const context = { wasInterrupted: true };
		expect(await messagesOf(push, { execution: known, context })).toEqual([advice]);
	});

	it('goes on if the first execution is known to have sent with Send Once', async () => {
		const { context } = await resolve({ ...push, sendOnce: true });
		const interrupted = { ...retry, context: { ...context, wasInterrupted: true } };
		expect(await messagesOf({ ...push, sendOnce: true }, interrupted)).toEqual([]);
		expect(await messagesOf(push, interrupted)).toEqual([advice]);
	});
});

test('A field is refused as left to the model only where an agent calls the node or has it reviewed', async () => {
	const parameters = {
		...push,
		user_id: "={{ $fromAI('user') }}",
		sendOnceKey: "={{ $fromAI('key') }}",
	};
	expect(await messagesOf(parameters)).toEqual([]);
	for (const by of [{ isTool: true }, { isReview: true }])
		expect((await messagesOf(parameters, by)).join()).toContain(
			"'Send Once Key' is left to the model, but only a person may set it",
		);
});

describe('A question', () => {
	it('is refused for each reason at once, before anything is asked', async () => {
		const messages = await messagesOf(question, {
			items: [{}, {}],
			isTool: true,
			raw: (name) => (name === 'operation' ? '={{ $json.operation }}' : null),
			answerUrl: () => 'http://localhost:5678/wait',
		});
		expect(messages).toEqual([
			expect.stringMatching(/^operation: An agent cannot use 'Send and Wait for Response'/),
			expect.stringMatching(/^operation: 'Send and Wait for Response' is chosen by an expression/),
			expect.stringMatching(/^operation: There are 2 items, .*Loop Over Items/),
			expect.stringMatching(
				/^answerUrl: The link in the message would lead to http:\/\/localhost:5678, .*WEBHOOK_URL/,
			),
		]);
	});

	it('by one item with a link that others can open is asked', async () => {
		expect(await messagesOf(question)).toEqual([]);
	});

	it('may have a link to this machine where the service is on it too', async () => {
		const credential = { ...account, pushUrl: 'http://127.0.0.1:3000' };
		const answerUrl = () => 'http://[::1]:5678/wait';
		expect(await messagesOf(question, { credential, answerUrl })).toEqual([]);
	});

	it('is refused if its time is over before it is asked', async () => {
		const values = { limitType: 'atSpecifiedTime', maxDateAndTime: '1970-01-01T00:00:00Z' };
		const options = { limitWaitTime: { values } };
		const messages = await messagesOf({ ...question, options }, { now: () => 1 });
		expect(messages).toEqual([expect.stringMatching(/^limitWaitTime: .*has passed/)]);
	});

	it('leaves other operations free to have many items and any link', async () => {
		const given = { items: [{}, {}], answerUrl: () => 'http://localhost:5678/wait' };
		expect(await messagesOf(push, given)).toEqual([]);
	});
});
