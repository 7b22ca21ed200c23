import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { type Sandbox, startSandbox, testCredentials } from '../../../sandbox';
import { ExecutionList } from '../support/executionList';
import { useNewStore } from '../support/memoryStore';
import { accountOf, push, type Told, toldBy } from '../support/sends';
import { accessToken, apiKey } from '../support/service';

let sandbox: Sandbox;
let list: ExecutionList;
beforeEach(async () => {
	const brands = [...testCredentials.brands, { brandId: 'real-brand', apiKey }];
	sandbox = await startSandbox({ credentials: { ...testCredentials, brands } });
	useNewStore();
	list = new ExecutionList();
});
afterEach(async () => await sandbox.close());

const once = (more: INodeParameters = {}): INodeParameters => ({
	...push({ concurrency: 1 }),
	sendOnce: true,
	...more,
});

describe('A key in which a value is missing is refused, and names its row:', () => {
	test.each([
		['={{ "order-" + $json.nr }}', {}, 'undefined'],
		['={{ "order_" + $json.nr + "_mail" }}', {}, 'undefined'],
		['={{ $json.shop + $json.nr }}', { shop: 'acme' }, 'undefined'],
		['={{ "order-" + $json.nr }}', { nr: null }, 'null'],
		['={{ "order-" + Number($json.nr) }}', { nr: 'x' }, 'NaN'],
		['={{ Number($json.nr) }}', { nr: 'x' }, 'a calculation without a result'],
		['={{ "order-" + $json.nr }}', { nr: {} }, '[object Object]'],
		['order-{{ $json.nr }}', { nr: '1' }, '{{ $json.nr }}'],
		[
			'={{ "due-" + DateTime.fromISO($json.due).toFormat("d.M.") + ($json.nr ?? "") }}',
			{ nr: '' },
			'Invalid DateTime',
		],
		['={{ $json.due ?? new Date($json.nr) + "" }}', { nr: 'soon' }, 'Invalid Date'],
	])('%s of %j', async (sendOnceKey, row, found) => {
		const { error } = await list.start({
			parameters: once({ sendOnceKey }),
			rows: [
				{ id: 'u1', nr: '1041', shop: 'acme', due: '2026-11-30' },
				{ id: 'u2', ...row },
			],
			credential: accountOf(sandbox),
		});
		const text = `${error?.message} ${String((error as { description?: unknown }).description)}`;
		expect(text).toContain('Send Once Key');
		expect(text).toContain(found);
		expect(text).toMatch(/\b1\b.*\bu2\b/);
		expect(sandbox.record).toEqual([]);
	});

	test('and the other rows are sent where On Error lets the run go on', async () => {
		const execution = await list.start({
			parameters: once({ sendOnceKey: '={{ "order-" + $json.nr }}', user_id: 'u' }),
			rows: [{ nr: 1 }, {}, { nr: 2 }, {}],
			credential: accountOf(sandbox),
			onError: 'continueErrorOutput',
		});
		expect(toldBy(execution).map(({ outcome }) => outcome)).toEqual([
			'accepted',
			'invalid',
			'accepted',
			'invalid',
		]);
	});
});

describe('A key in which a placeholder gives nothing is refused, not taken for a shorter key or none:', () => {
	const nothing: Array<[string, object]> = [
		['missing', {}],
		['empty', { nr: '' }],
		['null', { nr: null }],
		['spaces', { nr: '  ' }],
		['an empty list', { nr: [] }],
	];
	const told = async (sendOnceKey: string, rows: object[], more: INodeParameters = {}) => {
		const execution = await list.start({
			parameters: once({
				sendOnceKey,
				user_id: 'u',
				message: '={{ $json.text ?? "Hi" }}',
				...more,
			}),
			rows: rows as IDataObject[],
			credential: accountOf(sandbox),
			onError: 'continueErrorOutput',
		});
		return toldBy(execution);
	};
	const outcomesOf = (list: Told[]) => list.map(({ outcome }) => outcome);

	describe.each(nothing)('a column that is %s', (_, row) => {
		test.each([
			'=Order {{ $json.nr }}',
			'=Order {{$json["nr"]}}',
			'=Order {{ $json.nr }}-{{ $json.shop }}',
			"=Order {{ $('Source').item.json.nr }}",
			'=Order {{ $json.nr?.toString() }}',
			'=Order {{ $json.nr || $json.number }}',
			'={{ $json.nr }}',
			'= {{ $json.nr }} ',
			'={{ $json.nr }}{{ $json.number }}',
		])('in %s', async (sendOnceKey) => {
			const rows = [
				{ nr: '1041', shop: 'A', number: 'a' },
				{ ...row, shop: 'A' },
				{ nr: '1042', shop: 'A', number: 'a' },
				{ ...row, shop: 'A' },
			];
			expect(outcomesOf(await told(sendOnceKey, rows))).toEqual([
				'accepted',
				'invalid',
				'accepted',
				'invalid',
			]);
			expect(sandbox.record).toHaveLength(2);
		});
	});

	test('with the code of the placeholder, also if Skip Text Check is on', async () => {
		const skipTextCheck = { options: { concurrency: 1, skipTextCheck: true } };
		const [one] = await told('=Order {{ $json.orderNumber }}', [{}], skipTextCheck);
		expect(one?.details.problems).toEqual([
			{
				field: 'sendOnceKey',
				label: 'Send Once Key',
				message:
					'Send Once Key: {{ $json.orderNumber }} is empty, so different messages would count as the same. Correct the expression, or fill in the value',
			},
		]);
	});

	test('but not an empty case of its own', async () => {
		const rows = [{ nr: 1 }, {}, { text: 'Bye' }, {}];
		expect(outcomesOf(await told("=Order {{ $json.nr ?? '' }}", rows))).toEqual([
			'accepted',
			'accepted',
			'skipped',
			'skipped',
		]);
		// As a whole, it is no key: the whole request counts.
		expect(outcomesOf(await told('={{ $json.nr || "" }}', rows))).toEqual([
			'accepted',
			'accepted',
			'accepted',
			'skipped',
		]);
	});

	test('and a key of spaces alone is none', async () => {
		const rows = [{ text: 'One' }, { text: 'Two' }, { text: 'One' }];
		expect(outcomesOf(await told('  ', rows))).toEqual(['accepted', 'accepted', 'skipped']);
	});
});

describe('A number that is not exact is refused as a key:', () => {
	test.each([
		['={{ $json.nr }}', 9_007_199_254_740_993],
		['={{ $json.nr }}', 1e21],
		['={{ "order-" + $json.nr }}', 1.5e21],
	])('%s of %d', async (sendOnceKey, nr) => {
		const { failed } = await list.start({
			parameters: once({ sendOnceKey }),
			rows: [{ id: 'u1', nr }],
			credential: accountOf(sandbox),
			onError: 'continueErrorOutput',
		});
		expect(failed[0]?.json.details).toMatchObject({
			outcome: 'invalid',
			problems: [{ field: 'sendOnceKey' }],
		});
		expect(sandbox.record).toEqual([]);
	});
});

test('Keys that only look like it are taken: words, codes, large numbers as text', async () => {
	const keys = [
		'nullable',
		'NaNcy',
		'aNullb',
		'annull-2026',
		'9007199254740993',
		'9007199254740992',
		'order-12345678901234567890',
		'2e+1',
		'1e5',
		12.5,
		Number.MAX_SAFE_INTEGER,
	];
	const execution = await list.start({
		parameters: once({ sendOnceKey: '={{ $json.key }}', user_id: 'u' }),
		rows: keys.map((key) => ({ key })),
		credential: accountOf(sandbox),
		onError: 'continueErrorOutput',
	});
	expect(toldBy(execution).map(({ outcome }) => outcome)).toEqual(keys.map(() => 'accepted'));
});

test.each([
	['the form of an accent in Unicode', 'Caf\u00e9', 'Cafe\u0301'],
	['an accent behind an invisible character', 'Caf\u00e9', 'Cafe\u200b\u0301'],
	['an invisible character', 'order-17', '\ufefforder\u200b-17'],
	['what makes an emoji colorful', 'sale\u2764', 'sale\u2764\ufe0f'],
])('Keys that differ only in %s are one key', async (_, one, other) => {
	const execution = await list.start({
		parameters: once({ sendOnceKey: '={{ $json.key }}', user_id: 'u' }),
		rows: [{ key: one }, { key: other }, { key: `${one}8` }],
		credential: accountOf(sandbox),
		onError: 'continueErrorOutput',
	});
	expect(toldBy(execution).map(({ outcome }) => outcome)).toEqual([
		'accepted',
		'skipped',
		'accepted',
	]);
});

describe('What was sent counts for its account', () => {
	async function outcome(
		credential: ICredentialDataDecryptedObject,
		more: { parameters?: INodeParameters; credentialId?: string } = {},
	) {
		const { credentialId, parameters } = more;
		const execution = await list.start({
			parameters: once({ sendOnceKey: 'spring sale', ...parameters }),
			rows: [{ id: 'u1' }],
			credential,
			credentialId,
			onError: 'continueErrorOutput',
		});
		return toldBy(execution).map((one) => one.outcome);
	}

	test('so another brand at the same address gets the message, once', async () => {
		expect(await outcome(accountOf(sandbox))).toEqual(['accepted']);
		const real = { ...accountOf(sandbox), brandId: 'real-brand' };
		expect(await outcome(real)).toEqual(['accepted']);
		expect(await outcome(real)).toEqual(['skipped']);
		expect(await outcome(accountOf(sandbox))).toEqual(['skipped']);
	});

	test('also after its API key was renewed, and in another credential', async () => {
		await outcome(accountOf(sandbox));
		const renewed = { ...accountOf(sandbox), apiKey: 'renewed-key' };
		expect(await outcome(renewed)).toEqual(['skipped']);
		expect(await outcome(renewed, { credentialId: '2' })).toEqual(['skipped']);
	});

	test('and with an access token for its credential, also after the token was renewed', async () => {
		const parameters = { authentication: 'partnerToken' };
		const token = { ...accountOf(sandbox), accessToken };
		expect(await outcome(token, { parameters, credentialId: '1' })).toEqual(['accepted']);
		expect(await outcome(token, { parameters, credentialId: '2' })).toEqual(['accepted']);
		const renewed = { ...token, accessToken: 'renewed-token' };
		expect(await outcome(renewed, { parameters, credentialId: '1' })).toEqual(['skipped']);
	});
});
