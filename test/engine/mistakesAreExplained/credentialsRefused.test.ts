import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { CustomerMessagingApi } from '../../../credentials/CustomerMessagingApi.credentials';
import { everythingIn } from '../support/everything';
import { event } from '../support/mistakes';
import { brandId, useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

type Change = ICredentialDataDecryptedObject;

/** The field that makes a credential unusable, and all that the run says of it. Nothing may have been sent. */
async function refused(change: Change, parameters: INodeParameters = order.smsSend) {
	const report = await node.run(parameters, { account: change, onError: 'continueErrorOutput' });
	expect([node.sandbox.record, report.output]).toEqual([[], []]);
	const [item] = report.failed;
	const details = item?.json.details as { problems: Array<{ field: string; message: string }> };
	expect(details).toMatchObject({ outcome: 'invalid', problems: [{}] });
	const [problem] = details.problems;
	expect(item?.json.error).toContain(problem?.message);
	return { field: problem?.field, error: item?.json.error, report };
}

/** For each address, an order that uses it, and its path. */
const addresses = {
	baseUrl: [order.createUser, '/api/v1/user/create'],
	pushUrl: [order.pushSend, '/api/v1/web/send'],
	mailUrl: [order.smsSend, '/api/v1/sendMessage'],
} as const;

it.each([
	['baseUrl', ' http://127.9.9.9 ', 'http://127.9.9.9'],
	['pushUrl', 'http://localhost:5000/t_7/API/v1/', 'http://localhost:5000/t_7'],
	['mailUrl', ' HTTP://[::1]:5000\n', 'http://[::1]:5000'],
	['pushUrl', 'https://api.example.com:8443/', 'https://api.example.com:8443'],
	['mailUrl', 'https://API.example.com/eu1/api/v1/user/create?x=1', 'https://api.example.com/eu1'],
	['baseUrl', 'https://api.example.com/eu1/../eu2/?a=2#b', 'https://api.example.com/eu2'],
] as const)('The %s %j is used as %s', async (name, address, used) => {
	const [parameters, path] = addresses[name];
	const previewed = { ...parameters, options: { previewOnly: true } };
	const { output } = await node.run(previewed, { account: { [name]: address } });
	expect(output.map(({ json }) => json.url)).toEqual([`${used}${path}`]);
	expect(node.sandbox.record).toEqual([]);
});

/** What an expression without a value gives, in n8n and in a form that was left empty. */
const nothing = [undefined, null, '', '={{ $vars.none }}'];

/** Values that a field cannot have, by the switch that shows it. */
const unusable: Record<string, Record<string, unknown[]>> = {
	always: {
		apiKey: ['hunter2 key', 'hunter2\nkey', ''],
		pushUrl: ['', 'user:hunter2@api.example.com', 'http://api.example.com'],
		mailUrl: [443, 'https:user:hunter2@api.example.com'],
		baseUrl: ['https://user:hunter2@a.example', 'https:\\\\user:hunter2@api.example.com'],
		scheduleZone: ['Mars/Olympus', ['UTC'], ...nothing],
	},
	customLimits: {
		smsLimit: [0, 'unlimited', 99.5, [500], ...nothing],
		userLimit: [''],
		eventLimit: [''],
		campaignLimit: [''],
		reportingLimit: [''],
		pushLimit: [''],
		emailLimit: [''],
	},
	customSchedule: {
		campaignDateFormat: [20261124, 'cccc', ...nothing],
		campaignTimeFormat: ['HH:mm', 'hhmm a', ''],
		pushDateFormat: ['yyyy', 'FFFF', ''],
		pushTimeFormat: ['HH:MM:ss', 'hh:mm', ''],
		eventTimeFormat: ['yyyy-MM-dd', 'YYYY-MM-dd HH:mm', ''],
		campaignAsText: ['maybe'],
		campaignNow: ['later', ...nothing],
	},
	customPaths: {
		eventPath: nothing,
	},
	// By hand, these may be left empty.
	customAnswers: {
		answerField: [undefined, null],
		acceptedValues: [undefined, null],
	},
};

const { properties } = new CustomerMessagingApi();

it.each(
	Object.entries(unusable).flatMap(([shownBy, fields]) =>
		Object.entries(fields).flatMap(([field, values]) =>
			values.map((value) => [field, shownBy, value] as const),
		),
	),
)('%s is refused (shown by %s), without showing a password: %p', async (field, shownBy, value) => {
	const [parameters] = addresses[field as keyof typeof addresses] ?? [order.smsSend];
	const found = await refused({ [shownBy]: true, [field]: value } as Change, parameters);
	expect(found.field).toBe(field);
	expect(everythingIn([found.error, found.report.failed])).not.toContain('hunter2');
	if (!nothing.includes(value as string)) return;
	const label = properties.find(({ name }) => name === field)?.displayName;
	expect(found.error).toMatch(
		new RegExp(`^${label} (?:is empty\\.|is not filled in\\.|cannot be empty\\.) \\w+ `),
	);
});

const reaching =
	'/broadcast /eu1/Email/BROADCAST /sendMessage /%62roadcast /eu1//x /.well-known /eu1;x';
it.each(reaching.split(' '))('An address with the path %s is refused', async (path) => {
	const pushUrl = `${node.sandbox.urls.pushUrl}${path}`;
	const { field, error } = await refused({ pushUrl }, order.pushSend);
	expect(field).toBe('pushUrl');
	expect(error).toContain('Enter the address up to /api/v1');
});

it('A custom path replaces the path of events', async () => {
	const account = { customPaths: true, eventPath: '/api/v1/event/track' };
	await node.run(event({ event_time: '2026-11-01T09:30Z' }), { account });
	expect(node.onlyArrival().path).toBe('/api/v1/event/track');
});

const switches = properties
	.filter(({ type }) => type === 'boolean')
	.map(({ name, displayName }) => [name, displayName] as const);

it.each(switches)('The switch %s is refused if neither on nor off', async (name, label) => {
	for (const [value, words] of [
		...nothing.map((one) => [one, 'empty']),
		...[' ', 1, 0].map((one) => [one, `'${one}'`]),
		['={{ $vars.staging?.on ?? "on" }}', "'on'"],
		[['true'], 'a list or object'],
		// Never with a secret that it gives.
		[node.credential.apiKey, "'…'"],
	]) {
		const { field, error, report } = await refused({
			customSchedule: true,
			[name]: value,
		} as Change);
		const told = `${label} must be true or false, but it is ${String(words)}`;
		expect([field, error]).toEqual([name, told]);
		expect(everythingIn(report.failed)).not.toContain(node.credential.apiKey);
	}
});

it.each([
	...[true, 'true', ' TRUE ', '={{ true }}', '={{ "True" }}'].map((on) => [on, true] as const),
	...[false, 'false', 'FALSE', '={{ $vars.staging === "x" }}'].map((off) => [off, false] as const),
])('A switch that gives %j is on: %p', async (limitRecipients, isOn) => {
	const { output } = await node.run(order.pushSend, { account: { limitRecipients } });
	expect(output[0]?.json.outcome).toBe(isOn ? 'skipped' : 'accepted');
});

describe('A credential goes on to work', () => {
	const on = { customSchedule: true, customPaths: true, customAnswers: true };
	// The form hides two of these fields, so n8n leaves them out.
	const hidden = { customPaths: false, customAnswers: 'false' };
	const texts = ['segments', 'onlyRecipients', 'testUserId', 'emailSenderName', 'eventPath'];
	const giving = (value: unknown) => Object.fromEntries(texts.map((name) => [name, value]));

	it.each<[string, object]>([
		['without any of its optional fields', {}],
		['with empty fields behind its switches', { ...on, answerField: '', acceptedValues: ' ' }],
		...[undefined, null, ''].map((value): [string, object] => [
			`where texts give ${value === '' ? 'nothing' : value}`,
			{ ...giving(value), ...hidden },
		]),
	])('%s', async (_, fields) => {
		const { baseUrl, pushUrl, mailUrl, brandId, apiKey } = node.credential;
		const credential = { baseUrl, pushUrl, mailUrl, brandId, apiKey, ...fields };
		for (const parameters of [order.pushSend, order.smsSend, order.trackEvent]) {
			const timed = { ...parameters, sendAt: 'at', scheduledFor: '2030-01-01T00:00:00Z' };
			const { output } = await node.run(timed, { credential });
			expect(output.map(({ json }) => json.outcome)).toEqual(['accepted']);
		}
	});
});

describe('A credential whose values differ by item', () => {
	const rowsOf = (...brands: string[]) =>
		brands.map((brand, row) => ({ brand, id: `C-${row}`, list: row < 2 ? [brand] : undefined }));
	const sending = async (account: object, brands: string[]) =>
		await node.run(
			{ ...order.pushSend, user_id: '={{ $json.id }}' },
			{ rows: rowsOf(...brands), account, onError: 'continueErrorOutput' },
		);
	const differs = (item: number) =>
		`For item ${item}, the credential gives other values, but a run uses the account of item 0. Separate the items with a Switch node, and send them by several of these nodes, each with a credential of its own`;

	const brand = '={{ $json.brand }}';
	it.each<[by: string, object, brands: string[], item: number]>([
		['brand', { brandId: brand }, ['a', 'a', 'b'], 2],
		['key', { apiKey: '=key-of-{{ $json.brand }}' }, ['a', 'b'], 1],
		['the item before', { brandId: "={{ $('Source').item.json.brand }}" }, ['a', 'b'], 1],
		['recipients', { limitRecipients: true, onlyRecipients: '={{ $json.id }}' }, ['a', 'a'], 1],
		['what n8n cannot evaluate', { brandId: '={{ $json.list.first() }}' }, ['a', 'a', 'a'], 2],
	])('is refused before anything is sent: by %s', async (_, change, brands, item) => {
		const { output, failed } = await sending(change, brands);
		expect([output, node.sandbox.record]).toEqual([[], []]);
		expect(failed.map(({ json }) => json.error)).toEqual(brands.map(() => differs(item)));
		expect(everythingIn(failed)).not.toContain('key-of-');
	});

	const firstBrand = "={{ $('Source').first().json.brand }}";
	it.each<[string, object, string[], number]>([
		['that all items agree on', { brandId: brand }, [brandId, brandId, brandId], 3],
		['of a single item', { brandId: brand }, [brandId], 1],
		['of a variable', { brandId: '={{ $vars.brand }}' }, ['a', 'b'], 2],
		['of one item for all', { brandId: firstBrand }, [brandId, 'b'], 2],
	])('sends with a brand %s', async (_, change, brands, sent) => {
		const { output } = await sending(change, brands);
		expect(output.map(({ json }) => json.outcome)).toEqual(Array(sent).fill('accepted'));
		const arrived = node.sandbox.record.map(({ headers, body }) => [headers['x-brand-id'], body]);
		expect(arrived).toMatchObject(brands.map((_, row) => [brandId, { user_id: `C-${row}` }]));
	});

	it.each(['Tool', 'HitlTool'] as const)('is refused in a call of a %s', async (calledAs) => {
		const operation = calledAs === 'Tool' ? 'send' : 'sendAndWait';
		const call = { calledAs, account: { brandId: '={{ $json.brand }}' }, rows: rowsOf(brandId) };
		const { error, output } = await node.run({ ...order.pushSend, operation }, call);
		expect([output, node.sandbox.record]).toEqual([[], []]);
		expect(error?.message).toBe(
			'Nothing was sent: The credential is left to the model, because one of its expressions reads the item, in which n8n puts what the model wrote. Set it to a fixed value',
		);
	});
});
