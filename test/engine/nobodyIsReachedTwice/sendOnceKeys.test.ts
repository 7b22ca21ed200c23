import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { testCredentials } from '../../../sandbox';
import { freezeClock, passMinutes } from '../support/clock';
import type { Course } from '../support/executionList';
import { accessToken, apiKey, inShort, type Turn, useNode, wordsOf } from '../support/node';
import * as order from '../support/orders';
import { push, toldBy } from '../support/sends';

freezeClock('2026-11-24T14:02:40Z');
const brands = [...testCredentials.brands, { brandId: 'real-brand', apiKey }];
const node = useNode(
	{ onError: 'continueErrorOutput', timezone: 'UTC' },
	{ credentials: { ...testCredentials, brands } },
);

const toOne = { ...push({ concurrency: 1 }), user_id: 'u', message: '={{ $json.text ?? "Hi" }}' };
const keyed = (sendOnceKey: string, more: INodeParameters = {}): INodeParameters => ({
	...{ ...toOne, sendOnce: true, sendOnceKey },
	...more,
});
/** Sends the rows in one execution, a minute after the one before. */
const start = async (parameters: INodeParameters, rows: object[] = [{}], more: Turn = {}) => {
	passMinutes(1);
	return await node.start({ parameters, rows: rows as IDataObject[], ...more });
};
const said = async (...args: Parameters<typeof start>) => inShort(await start(...args));
const expectNothingSent = () => expect(node.sandbox.record).toEqual([]);
const stops = { onError: undefined };
const before = 'skipped sentBefore accepted';

test.each([
	['={{ "order_" + $json.nr + "_mail" }}', {}, 'undefined'],
	['={{ "order-" + $json.nr }}', { nr: null }, 'null'],
	['={{ $json.nr }}', { nr: { toString: 1 } }, 'must be text or a number'],
	['order-{{ $json.nr }}', { nr: '1' }, '{{ $json.nr }}'],
	['={{ $json.nr }}', { nr: 9_007_199_254_740_993 }, 'so many digits that n8n has rounded'],
])('A key in which a value is missing is refused, and names its row: %s of %j', async (...one) => {
	const [key, row, found] = one;
	const good = { id: 'u1', nr: '1041' };
	const parameters = keyed(key, { user_id: '={{ $json.id }}' });
	const words = wordsOf(await start(parameters, [good, { id: 'u2', ...row }], stops));
	expect(words).toContain('Send Once Key');
	expect(words).toContain(found);
	expect(words.replaceAll('\n', ' ')).toMatch(/\b1\b.*\bu2\b/);
	expectNothingSent();
});

describe('A key in which a placeholder gives nothing is refused, not taken for a shorter key or none:', () => {
	test.each([
		['=Order {{ $json.nr }}', false],
		['=Order {{ $json.nr || $json.number }}', true],
	])(
		'%s of a column that is missing, empty, null, spaces or an empty list (Skip Text Check: %s)',
		async (key, skipTextCheck) => {
			const nothing = [{}, { nr: '' }, { nr: null }, { nr: '  ' }, { nr: [] }];
			const orders = ['1041', '1042'].map((nr) => ({ nr, number: 'a' }));
			const rows = [...orders, ...nothing, ...nothing];
			const options = { concurrency: 1, skipTextCheck };
			expect(await said(keyed(key, { options }), rows)).toBe('2 accepted, 10 invalid');
			expect(node.sandbox.record).toHaveLength(2);
		},
	);

	test('but not an empty case of its own, and a key of spaces alone is none', async () => {
		const rows = [{ nr: 1 }, {}, { text: 'Bye' }, {}];
		const ofCase = await said(keyed("=Order {{ $json.nr ?? '' }}"), rows);
		expect(ofCase).toBe(`2 accepted, 2 ${before}`);
		// As a whole, it is no key: the whole request counts.
		expect(await said(keyed('={{ $json.nr || "" }}'), rows)).toBe(`3 accepted, 1 ${before}`);
		const texts = [{ text: 'One' }, { text: 'Two' }, { text: 'One' }];
		expect(await said(keyed('  '), texts)).toBe(`2 accepted, 1 ${before}`);
	});
});

test('Keys that only look like it are taken: words, codes, large numbers as text', async () => {
	const keys = ['nullable', 'NaNcy', 'aNullb', 'annull-2026', '9007199254740993'];
	keys.push('9007199254740992', 'order-12345678901234567890', '2e+1', '1e5');
	const rows = [...keys, 12.5, Number.MAX_SAFE_INTEGER].map((key) => ({ key }));
	expect(await said(keyed('={{ $json.key }}'), rows)).toBe('11 accepted');
});

test('Keys that differ only in what nobody sees are one key', async () => {
	const keys = ['Caf\u00e9', 'Cafe\u200b\u0301', 'sale\u2764', 'sale\u2764\ufe0f'];
	const rows = keys.map((key) => ({ key }));
	expect(await said(keyed('={{ $json.key }}'), rows)).toBe(
		`1 accepted, 1 ${before}, 1 accepted, 1 ${before}`,
	);
});

describe('What was sent counts for its account', () => {
	const saidWith = async (account: object, more: Course = {}) => {
		const parameters = keyed('spring sale', more.parameters);
		return await said(parameters, [{}], { ...more, parameters, account });
	};

	test('so another brand at the same address gets the message, once, and its renewed API key and other credentials do not count', async () => {
		const real = { brandId: 'real-brand' };
		expect(await saidWith({})).toBe('1 accepted');
		expect(await saidWith(real)).toBe('1 accepted');
		expect(await saidWith(real)).toBe(`1 ${before}`);
		expect(await saidWith({})).toBe(`1 ${before}`);
		const more = { credentialId: '2' };
		expect(await saidWith({ apiKey: 'renewed-key' }, more)).toBe(`1 ${before}`);
	});

	test('and with an access token for its credential, also after the token was renewed', async () => {
		const parameters = { authentication: 'partnerToken' };
		for (const credentialId of ['1', '2'])
			expect(await saidWith({ accessToken }, { parameters, credentialId })).toBe('1 accepted');
		const renewed = { accessToken: 'renewed-token' };
		expect(await saidWith(renewed, { parameters, credentialId: '1' })).toBe(`1 ${before}`);
	});
});

test.each<[string, string, INodeParameters?]>([
	['push to one person', '$now'],
	['event', '$now', order.trackEvent],
	['broadcast', '$now', order.pushToAll],
	['push', 'DateTime.local()'],
])('A differing key is refused: %s with %s', async (_, code, parameters = toOne) => {
	const { error } = await start(keyed(`=Sale {{ ${code} }}`, parameters), [{}], stops);
	expect(error?.message).toMatch(/^Nothing was sent: Send Once Key .*differs/);
	expect(error?.message).toContain('Enter a key that changes with each occasion');
	if (code === '$now') expect(error?.message).toContain('$now');
	expectNothingSent();
});

describe('Without a key, Send Once with a field that differs in each execution asks for one:', () => {
	const at = { id: '1', name: 'at', value: '={{ $now.toISO() }}', type: 'string' };
	const dated = { ...toOne, message: '=It is {{ $now.toFormat("HH:mm:ss.SSS") }}' };
	test.each<[string, INodeParameters]>([
		['push to one person', dated],
		['custom request', { ...order.customPost, body: '={{ { at: new Date() } }}' }],
		['event', { ...order.trackEvent, attributes: { assignments: [at] } }],
	])('%s', async (_, parameters) => {
		const { error } = await start(keyed('', parameters), [{}], stops);
		expect(error?.message).toMatch(/^Nothing was sent: .*[Ee]nter a key/);
		expectNothingSent();
	});

	test.each<[string, INodeParameters]>([
		['with a key', keyed('={{ $json.order }}', dated)],
		['with a day', keyed('=Sale {{ DateTime.local(2026, 11, 24) }} {{ $now.toISODate() }}')],
		['if it differs by its row only', keyed('', { message: '=Order {{ $json.order }}' })],
	])('but not %s', async (_, parameters) => {
		expect(await said(parameters, [{ order: 17 }])).toBe('1 accepted');
		expect(await said(parameters, [{ order: 17 }])).toBe(`1 ${before}`);
	});
});

describe('A key of Send Once that different messages share', () => {
	const row = (id: string, key: string, text: string) => ({ id, key, text });
	const coarse =
		"'Send Once Key' may be too coarse. Add to it what tells these messages apart, such as";
	const ofOccasion = 'an order number, or the occasion: shipped, delivered';
	const toldWith = async (rows: object[], key = '={{ $json.key }}') => {
		const report = await start(keyed(key, { user_id: '={{ $json.id }}' }), rows);
		return {
			said: inShort(report),
			differing: toldBy(report).map(({ details }) => details.differs),
			hints: report.hints.filter(({ message }) => message.includes('too coarse')),
		};
	};

	test('is told by each skipped item that differs from the one that was sent', async () => {
		const { said, differing, hints } = await toldWith([
			row('u1', 'order', 'Order 1 is on its way'),
			row('u1', 'order', 'Order 2 is on its way'),
			row('u1', 'order', 'Order 1 is on its way'),
			row('u2', 'order', 'Order 3 is on its way'),
			row('u1', 'order', 'Order 4 is on its way'),
		]);
		expect(said).toBe(`1 accepted, 2 ${before}, 1 accepted, 1 ${before}`);
		expect(differing).toEqual([undefined, true, undefined, undefined, true]);
		const message = `Send Once: 2 messages were skipped although another message of this run with the same key says something else: items 1 (u1), 4 (u1). If people should get all of them, ${coarse} ${ofOccasion}.`;
		expect(hints).toEqual([expect.objectContaining({ type: 'warning', message })]);
		expect(node.sandbox.accepted()).toHaveLength(2);
	});

	test('is no matter where the run is skipped as a whole, as texts to different people always differ', async () => {
		await toldWith([row('u1', 'u1', 'Order 1'), row('u2', 'u2', 'Order 2')]);
		const again = await toldWith([row('u1', 'u1', 'Dear Ann'), row('u2', 'u2', 'Dear Ben')]);
		expect(again).toEqual({ said: `2 ${before}`, differing: [undefined, undefined], hints: [] });
	});
});
