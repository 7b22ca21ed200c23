import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { everythingIn } from '../support/everything';
import * as order from '../support/orders';
import { keyCredential, onlyArrival, run, useSandbox } from '../support/service';

const sandbox = useSandbox();

/** One order for each address, so that every one of them is used. */
const orders = { baseUrl: order.createUser, pushUrl: order.pushSend, mailUrl: order.smsSend };
const addresses = Object.entries(orders) as Array<
	[keyof typeof orders, (typeof orders)['baseUrl']]
>;

/** The fields that make a credential unusable. Nothing may have been sent. */
async function refusedFields(
	change: ICredentialDataDecryptedObject,
	parameters: INodeParameters = order.pushSend,
) {
	const credential = { ...keyCredential(sandbox()), ...change };
	const passing = await run(sandbox(), parameters, { credential, onError: 'continueErrorOutput' });
	const stopping = await run(sandbox(), parameters, { credential });

	expect(sandbox().record).toEqual([]);
	expect(passing.output).toEqual([]);
	expect(stopping.error?.message).toContain('Nothing was sent');
	const [failure] = passing.failed.map(({ json }) => json);
	const { outcome, problems } = failure?.details as {
		outcome: string;
		problems: Array<{ field: string; message: string }>;
	};
	expect(outcome).toBe('invalid');
	for (const { message } of problems) expect(stopping.error?.message).toContain(message);
	return { fields: problems.map(({ field }) => field), stopping };
}

describe.each(addresses)('%s', (field, parameters) => {
	it.each([
		['empty', ''],
		['no scheme', 'api.example.com'],
		['http to another machine', 'http://api.example.com'],
		['a user name', 'https://user@api.example.com'],
		['a number', 443],
	])('is refused: %s', async (_, value) => {
		const { fields } = await refusedFields({ [field]: value }, parameters);
		expect(fields).toEqual([field]);
	});

	it.each([
		'https://user:hunter2@api.example.com',
		'user:hunter2@api.example.com',
		'https:user:hunter2@api.example.com',
		'https:\\\\user:hunter2@api.example.com',
	])('is refused without showing the password: %s', async (value) => {
		const { fields, stopping } = await refusedFields({ [field]: value }, parameters);
		expect(fields).toEqual([field]);
		expect(everythingIn(stopping.error)).not.toContain('hunter2');
	});

	it.each([
		['a slash at its end', (url: string) => `${url}/`],
		['a path', (url: string) => `${url}/api/v1/`],
		['a query', (url: string) => `${url}/?a=1#b`],
		['a whole path of the API', (url: string) => `${url}/api/v1/email/broadcast?x=1`],
		['spaces around', (url: string) => ` ${url} `],
		['a name for this machine', (url: string) => url.replace('127.0.0.1', 'localhost')],
		['capitals', (url: string) => url.replace('http://127.0.0.1', 'HTTP://LocalHost')],
	])('is used with %s', async (_, write) => {
		const credential = { ...keyCredential(sandbox()), [field]: write(sandbox().urls[field]) };
		const { output, error } = await run(sandbox(), parameters, { credential });
		expect(error).toBeUndefined();
		expect(output[0]?.json.outcome).toBe('accepted');
		expect(onlyArrival(sandbox()).outcome).toBe('accepted');
	});

	it.each([
		['http://127.0.0.1:5000', 'http://127.0.0.1:5000'],
		['http://127.9.9.9', 'http://127.9.9.9'],
		['http://localhost:5000/base/', 'http://localhost:5000/base'],
		['http://[::1]:5000', 'http://[::1]:5000'],
		['https://API.example.com:443/v2', 'https://api.example.com/v2'],
		['https://api.example.com/eu1/api/v1/user/create', 'https://api.example.com/eu1'],
		['https://api.example.com/eu1/tenant_7/API/v1', 'https://api.example.com/eu1/tenant_7'],
		['https://api.example.com/eu1?region=2#top', 'https://api.example.com/eu1'],
		['https://api.example.com/eu1/../eu2/', 'https://api.example.com/eu2'],
		['https://api.example.com:8443', 'https://api.example.com:8443'],
		['https://192.168.0.10', 'https://192.168.0.10'],
	])('%s is used as %s', async (address, used) => {
		const credential = { ...keyCredential(sandbox()), [field]: address };
		const { output } = await run(
			sandbox(),
			{ ...parameters, options: { previewOnly: true } },
			{ credential },
		);
		expect(output).toHaveLength(1);
		const url = output[0]?.json.url as string;
		expect(url.split('/api/v1/')).toEqual([used, expect.stringMatching(/^[a-z]/i)]);
		expect(sandbox().record).toEqual([]);
	});
});

describe('With an address that has a path,', () => {
	const credentialUnder = (path: string) => ({
		...keyCredential(sandbox()),
		...Object.fromEntries(
			Object.entries(sandbox().urls).map(([host, url]) => [host, `${url}${path}`]),
		),
	});

	it.each([
		['the path of a broadcast', '/broadcast'],
		['the path of a broadcast, in capitals', '/eu1/Email/BROADCAST'],
		['the path of messages to one person', '/sendMessage'],
		['an encoded path', '/%62roadcast'],
		['two slashes', '/eu1//x'],
		['a name that begins with a dot', '/.well-known'],
		['a semicolon', '/eu1;x'],
	])('%s is refused', async (_, path) => {
		const pushUrl = `${sandbox().urls.pushUrl}${path}`;
		const { fields, stopping } = await refusedFields({ pushUrl });
		expect(fields).toEqual(['pushUrl']);
		expect(stopping.error?.message).toContain('Enter the address up to /api/v1');
	});

	it('the guards of custom paths hold', async () => {
		for (const path of ['/api/v1/email/broadcast', '/../broadcast/all', '//evil.example/x']) {
			const { error } = await run(
				sandbox(),
				{ ...order.customPost, path },
				{ credential: credentialUnder('/eu1') },
			);
			expect(error?.message).toContain('Path ');
			expect(error?.message).toContain('Nothing was sent');
		}
		expect(sandbox().record).toEqual([]);
	});
});
