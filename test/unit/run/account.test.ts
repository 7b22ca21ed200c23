import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import {
	type Authentication,
	namedOrigins,
	readAccount,
} from '../../../nodes/CustomerMessaging/run/account';

const hosts = {
	baseUrl: 'https://api.example.com/v1/',
	pushUrl: 'https://push.example.com:8443/?a=1',
	mailUrl: 'http://localhost:3000',
};
const withKey = { ...hosts, brandId: ' brand ', apiKey: ' key-12345 ' };
const withToken = { ...hosts, accessToken: 'token-12345\n' };

/** Values that cannot be used. */
const wrong = { smsLimit: 'many', scheduleZone: 'Mars/Olympus', eventPath: 'nowhere' };

function read(data: ICredentialDataDecryptedObject, authentication: Authentication = 'apiKey') {
	return readAccount(authentication, data);
}

const problemsOf = (data: ICredentialDataDecryptedObject) => {
	const result = read({ ...withKey, ...data });
	return 'problems' in result ? result.problems : [];
};

/** Typed by hand from the service's reference (spec §8; §4.1 and §4.2 for the paths it leaves open). */
const defaults = {
	hosts: {
		baseUrl: 'https://api.example.com',
		pushUrl: 'https://push.example.com:8443',
		mailUrl: 'http://localhost:3000',
	},
	limits: { user: 100, event: 500, campaign: 500, reporting: 50, push: 500, email: 500, sms: 500 },
	format: {
		campaignDateFormat: 'yyyyMMdd',
		campaignTimeFormat: 'HHmm',
		pushDateFormat: 'yyyy-MM-dd',
		pushTimeFormat: 'HH:mm:ss',
		eventTimeFormat: 'yyyy-MM-dd HH:mm:ss',
		scheduleZone: 'UTC',
	},
	senders: undefined,
	segmentNames: new Map(),
	eventPath: '/api/v1/event/create',
	webBroadcastPath: '/api/v1/web/broadcast/all',
};

test('An account is what the reference says while its switches are off, whatever is behind them', () => {
	expect(read({ ...withKey, ...wrong })).toEqual({
		account: { ...defaults, brandId: 'brand', identity: 'brand', secret: 'key-12345' },
	});
});

test('A token identifies the account that it was given for', () => {
	expect(read(withToken, 'partnerToken')).toEqual({
		account: { ...defaults, brandId: undefined, identity: 'token-12345', secret: 'token-12345' },
	});
});

test('Only what is filled in replaces a default', () => {
	const custom = {
		customLimits: true,
		customSchedule: true,
		customPaths: true,
		smsLimit: 1_200,
		pushLimit: '',
		pushTimeFormat: 'HHmmss',
		eventTimeFormat: null as unknown as string,
		eventPath: '/events',
	};
	expect(read({ ...withKey, ...custom })).toMatchObject({
		account: {
			limits: { ...defaults.limits, sms: 1_200 },
			format: { ...defaults.format, pushTimeFormat: 'HHmmss' },
			eventPath: '/events',
			webBroadcastPath: '/api/v1/web/broadcast/all',
		},
	});
});

test.each(['User', 'Event', 'Campaign', 'Reporting', 'Push', 'Email', 'SMS'])(
	'A limit that is no number is refused by its label: %s Limit',
	(api) => {
		const field = `${api.toLowerCase()}Limit`;
		expect(problemsOf({ customLimits: true, [field]: 'many' })).toEqual([
			{ field, message: expect.stringContaining(`${api} Limit must be`) as string },
		]);
	},
);

test('All fields that are wrong are named at once', () => {
	const custom = { customLimits: true, customSchedule: true, customPaths: true };
	const fields = problemsOf({ ...custom, ...wrong, mailUrl: 'x', apiKey: '' }).map(
		({ field }) => field,
	);
	expect(fields).toEqual(expect.arrayContaining(['mailUrl', 'apiKey', 'smsLimit', 'eventPath']));
});

test.each([
	['a space', 'key 12345'],
	['a letter outside ASCII at its end', 'key-12345é'],
	['a letter outside ASCII at its beginning', 'ékey-12345'],
	['more characters than a header takes', 'k'.repeat(8_001)],
])('A key with %s is refused, and not repeated', (_, apiKey) => {
	expect(problemsOf({ apiKey })).toEqual([
		{
			field: 'apiKey',
			message:
				'API Key contains a space or a character that cannot be sent, or it is too long for a header. Copy it again',
		},
	]);
});

test('A key with a line break, which would add a header, is refused, and not repeated', () => {
	expect(problemsOf({ apiKey: 'key-12345\nx-admin: 1' })).toEqual([
		{ field: 'apiKey', message: 'API Key contains a line break. Write it on one line' },
	]);
});

test('A key may have as many characters as a header takes', () => {
	expect(problemsOf({ apiKey: 'k'.repeat(8_000) })).toEqual([]);
});

const refusal = (label: string, address: string) =>
	`${label}${address} cannot be used. Enter an https:// address such as https://api.example.com, without a user name`;

test.each([
	'http://notlocalhost',
	'http://[::2]',
	'https://[::1',
	'ftp://localhost',
	'https://api..example.com',
	'https://api.example.com:port',
])('The address %s is refused and quoted', (pushUrl) => {
	expect(problemsOf({ pushUrl })).toEqual([
		{ field: 'pushUrl', message: refusal('Push API URL', ` '${pushUrl}'`) },
	]);
});

test('An address that may hold a password is refused and not quoted', () => {
	expect(problemsOf({ baseUrl: 'https://me:hunter2@api.example.com' })).toEqual([
		{ field: 'baseUrl', message: refusal('User and Event API URL', '') },
	]);
});

test.each([
	['https://API.example.com:443/v1?x#y', 'https://api.example.com'],
	['https://api_1.example-2.com./', 'https://api_1.example-2.com.'],
	['http://127.0.0.1:5678', 'http://127.0.0.1:5678'],
	['http://127.10.20.30', 'http://127.10.20.30'],
	['http://[::1]:5678/x', 'http://[::1]:5678'],
	['https://[2001:db8::1]', 'https://[2001:db8::1]'],
	[' https://api.example.com ', 'https://api.example.com'],
])('Of the address %s, requests go to %s', (pushUrl, origin) => {
	expect(read({ ...withKey, pushUrl })).toMatchObject({ account: { hosts: { pushUrl: origin } } });
	expect(namedOrigins({ pushUrl })).toEqual([origin]);
});

test('A credential names each of its addresses once, and none that cannot be used', () => {
	const { baseUrl } = hosts;
	expect(namedOrigins({ baseUrl, pushUrl: `${baseUrl}push`, mailUrl: 'x' })).toEqual([
		'https://api.example.com',
	]);
});
