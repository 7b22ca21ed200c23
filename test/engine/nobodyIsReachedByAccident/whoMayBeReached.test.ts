import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Output } from '../support/engine';
import { email, event, push, sms, toCampaign, user } from '../support/mistakes';
import { each, hintsOf, type Turn, useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

const asked = (parameters: INodeParameters, consent = '={{ $json.agreed }}'): INodeParameters => ({
	options: { sendDuplicates: true },
	...parameters,
	additionalFields: { consent },
});
const send = async (parameters: INodeParameters, rows: IDataObject[]) =>
	await node.run(parameters, { rows });
const extra = (fields: object) => ({ extraBodyFields: JSON.stringify(fields) });
const outcomesOf = ({ output }: Pick<Output, 'output'>) =>
	output.map(({ json: { outcome, reason }, pairedItem }) => [outcome, reason, pairedItem]);

const saysYes = [true, 'true', 'TRUE', ' Yes ', 'yes', '1', 1];
const saysNo = [false, 'false', 'No', '0', 0, '', ' ', null, undefined];

it('Consent decides whether a message is sent or shown, and is not sent itself', async () => {
	const rows = [...saysYes, ...saysNo].map((value) => ({ agreed: value }));
	const report = await send(asked(order.emailSend), rows);
	expect(outcomesOf(report)).toEqual([
		...saysYes.map((_, item) => ['accepted', undefined, { item }]),
		...saysNo.map((_, item) => ['skipped', 'noConsent', { item: saysYes.length + item }]),
	]);
	expect(hintsOf(report)).toContain(
		"Items 7–15 (the first is ravi@example.com): 9 messages were skipped because the recipient has not agreed: 'Consent' is empty, false, no or 0.",
	);
	expect(node.bodies()).toHaveLength(saysYes.length);
	expect(JSON.stringify(node.bodies())).not.toContain('consent');
	const previewed = asked(push({ options: { previewOnly: true } }));
	const { output } = await send(previewed, [{ agreed: true }, { agreed: false }]);
	expect(output.map(({ json }) => json.outcome)).toEqual(['preview', 'skipped']);
});

it.each(['subscribed', 2, ['yes']])('Consent is refused as a value if it is %j', async (agreed) => {
	expect(await node.refusal(asked(push()), { agreed })).toMatch(
		/^Consent is .*\. It must be true, yes or 1 for people who agreed, and false, no, 0 or empty for all others/,
	);
});

it.each([
	[[{}], false],
	[[{}, { agreed: false }], false],
	[[{}, { agreed: '' }], true],
])('Empty consent skips %j, and warns if it is empty in all: %p', async (rows, isWarned) => {
	const report = await send(asked(push()), rows);
	expect(report.output.map(({ json }) => json.reason)).toEqual(rows.map(() => 'noConsent'));
	const warning =
		'Consent is empty in all 2 items, so nobody got the message. The column is probably named otherwise: correct its expression.';
	const told = hintsOf(report).find((hint) => hint.startsWith('Consent is empty in'));
	expect(told).toBe(isWarned ? warning : undefined);
});

it('Consent comes before Send Once, so that who agrees later gets the message', async () => {
	const parameters = asked(push({ sendOnce: true }));
	const said = async (agreed: boolean) => await node.says({ parameters, rows: [{ agreed }] });
	expect([await said(false), await said(true)]).toEqual(['1 skipped noConsent', '1 accepted']);
	expect(await said(true)).toBe('1 skipped sentBefore accepted');
});

const requiring = { account: { requireConsent: true } };

it('With Require Consent, a message without the field is refused', async () => {
	expect(await node.stops(order.smsSend, requiring)).toBe(
		"Nothing was sent: The credential requires consent for each message to a person. Add 'Consent' under Additional Fields, with the column that says whether the person agreed",
	);
});

const agreeing = (fields: INodeParameters) => ({
	additionalFields: { consent: '={{ $json.agreed }}', ...fields },
});
const { email: address } = order.emailSend;
const could = (label: string) => `${label} could reach other people`;
const asks = 'the recipient of this question is not known to have agreed';
const campaign = 'this would reach campaign 5501';
const copy = "CC Email '…' is not known to have agreed";

it.each<[string, INodeParameters, string]>([
	['a copy, even to the recipient,', email(agreeing({ email_cc: address })), copy],
	['an extra field', push(agreeing(extra({ channel: 'vip' }))), could('Extra Body Fields')],
	['a message to a campaign', { ...toCampaign, ...agreeing({}) }, campaign],
	['a question by push', push({ operation: 'sendAndWait' }), asks],
])('With Require Consent, %s is refused, also in a preview', async (_, parameters, what) => {
	const told = `Nothing was sent: 'Require Consent' is on in the credential, and ${what}. Send to each person by an item of its own, with 'Consent' under Additional Fields. To reach colleagues, use another credential`;
	for (const options of [{}, { previewOnly: true }])
		expect(await node.stops({ ...parameters, options }, requiring)).toBe(told);
});

it.each<[string, INodeParameters]>([
	['a message with the field', asked(push())],
	['a user', order.createUser],
	['a custom request', order.customPost],
	['one whose copy is empty', email(agreeing({ email_cc: '' }))],
	['an event with extra fields', { ...order.trackEvent, additionalFields: extra({ a: 1 }) }],
])('With Require Consent, %s is sent', async (_, parameters) => {
	const { output } = await node.run(parameters, { ...requiring, rows: [{ agreed: 'yes' }] });
	expect(output[0]?.json.outcome).toBe('accepted');
});

it('With Require Consent, a broadcast is sent, with a hint', async () => {
	const report = await node.run(order.pushToAll, requiring);
	expect(report.output[0]?.json.outcome).toBe('accepted');
	expect(hintsOf(report)).toContain(
		'The credential requires consent, but the node cannot see who of the recipients of a broadcast agreed. Send it only to a segment of people who did.',
	);
});

const stops = async (consent: string, rows: IDataObject[], requireConsent = false) =>
	await node.stops(asked(push(), consent), { rows, account: { requireConsent } });

it.each([
	...['{{ $json.c || true }}', '{{ !$json.c }}', '{{ Boolean($json.c) }}', '{{ ($json.c) }}'],
	...['{{ $json.c ?? "yes" }}', '{{ $json.c.isEmpty() }}', "{{ $json.c && 'yes' }}"],
	...['{{ $json.c || false || true }}', '{{ $json.c }}{{ $json.c }}', 'y{{ $json.c }}'],
	...['{{ $json.c || 1 }}', '{{ $json.c || $json.b }}', '{{ $json.c ? "yes" : "no" }}'],
])('Consent is refused where it is computed: %s', async (consent) => {
	expect(await stops(`=${consent}`, [{ c: 'no' }, { c: true }, {}])).toBe(
		'Nothing was sent: Consent is computed, so it could agree for people who did not. Enter a fixed value, or one column such as {{ $json.newsletter }}. Compute yes or no in an Edit Fields node before',
	);
});

it.each<[code: string, agreed: IDataObject, denied: IDataObject[]]>([
	['$json.c', { c: 'yes' }, [{ c: 'no' }, {}]],
	['$json["Opt in"]', { 'Opt in': 1 }, [{ 'Opt in': 0 }]],
	["$('Source').item.json.c", { c: true }, [{ c: false }]],
	['$json.a?.c', { a: { c: 'yes' } }, [{}]],
	['$json.c ?? false', { c: 'yes' }, [{ c: null }]],
	["$json.c || 'no'", { c: 'yes' }, [{}, { c: 'no' }]],
	["$json.c || ''", { c: 'yes' }, [{}]],
])('Consent decides as one plain column: {{ %s }}', async (code, row, denied) => {
	const { output } = await send(asked(push(), `= {{ ${code} }} `), [row, ...denied]);
	const said = output.map(({ json }) => json.outcome);
	expect(said).toEqual(['accepted', ...each('skipped', denied.length)]);
});

it.each(['yes', '={{ true }}', "={{ 'no' }}", 'false'])('Consent may be %s', async (consent) => {
	const { output } = await send(asked(push(), consent), [{}]);
	expect(output[0]?.json.outcome).toBe(/no|false/.test(consent) ? 'skipped' : 'accepted');
});

it.each([
	...['$json.HasOptedOutOfEmail', '$json.EMAIL_BLACKLISTED', '$json.hs_email_optout'],
	...['$json["Unsubscribed from email"]', "$json['opt-out']", '$json.emailunsubscribed'],
	...['$json.email_suppression', '$json.DoNotContact', '$json.dnd', '$json.donotbulkemail'],
	...['$json.hard_bounce', "$('Contacts').item.json.opted_out", '$json.consentWithdrawn'],
	...['$json.SMSDoNotContact', '$json.isDNC', '$json.newsletter_abgemeldet'],
	...['$json.contacts[0].opted_out', '$json.consent_opt_out', "$json.unsubscribed || ''"],
])('Consent is refused where its column says who opted out: {{ %s }}', async (code) => {
	const rows = [{ unsubscribed: false, opted_out: 'no' }];
	for (const isRequired of [false, true])
		expect(await stops(`= {{ ${code} }} `, rows, isRequired)).toMatch(
			/by its name says who opted out: they would get this, and all others would not\. Compute yes or no in an Edit Fields node before$/,
		);
});

it.each([
	...['newsletter', 'opt_in', 'subscribed', 'isNotBlacklisted', 'no_opt_out', 'neverBounced'],
	...['nicht_abgemeldet', 'opt_out_consent', 'option'],
])('Consent may be a column that only looks like one of these: %s', async (column) => {
	const { output } = await send(asked(push(), `={{ $json.${column} }}`), [{ [column]: 'yes' }]);
	expect(output[0]?.json.outcome).toBe('accepted');
});

describe('With Only These Recipients', () => {
	const list = 'C-1, sub-7\nanna@Example.com\n@münchen.example\n+49 (0)151 1234-5678\nme-1';
	const limited = (onlyRecipients: unknown = list, more: object = {}) => {
		return { limitRecipients: true, onlyRecipients, ...more };
	};
	const send = async (parameters: INodeParameters, rest: Turn = {}) =>
		await node.run(parameters, { account: limited(), ...rest });
	const to = '={{ $json.to }}';
	const eve = 'eve@example.com';
	const notListed = (item: number) => ['skipped', 'recipientNotAllowed', { item }];
	const bySubscription = { recipientBy: 'subscription_id', subscription_id: to };
	const toAnna = (additionalFields: INodeParameters) =>
		email({ email: 'anna@example.com', additionalFields });
	const ask = (more: INodeParameters) => push({ operation: 'sendAndWait', ...more });

	it.each<[string, INodeParameters, string[], string[]]>([
		['user IDs, whose case counts', push({ user_id: to }), ['C-1'], ['c-1', 'ANNA@example.com']],
		['subscription IDs', push(bySubscription), ['sub-7'], ['sub-70']],
		['emails, whose case does not count', email({ email: to }), ['ANNA@example.com'], [eve]],
		['domains', email({ email: to }), ['Ben@xn--mnchen-3ya.example'], ['x@sub.münchen.example']],
		['phone numbers', sms({ mobile: to }), ['0049 151 12345678'], ['+4915112345679']],
		['events by their user', event({ userID: to }), ['C-1'], ['C-2']],
	])('%s are compared as they are sent', async (_, parameters, allowed, others) => {
		const rows = [...allowed, ...others].map((one) => ({ to: one }));
		const report = await send({ ...parameters, options: { sendDuplicates: true } }, { rows });
		expect(outcomesOf(report)).toEqual([
			...allowed.map((__, item) => ['accepted', undefined, { item }]),
			...others.map((__, item) => notListed(allowed.length + item)),
		]);
	});

	it('a warning counts who was left out, and a preview shows it', async () => {
		const rows = ['C-1', 'C-2', 'C-3'].map((one) => ({ to: one }));
		const { hints } = await send(push({ user_id: to }), { rows });
		const message =
			"Items 1 (C-2), 2 (C-3): 2 messages were skipped because 'Only These Recipients' in the credential does not list the recipient.";
		expect(hints).toContainEqual(expect.objectContaining({ message, type: 'warning' }));
		const parameters = push({ user_id: to, options: { previewOnly: true } });
		const report = await send(parameters, { rows: rows.slice(0, 2) });
		expect(outcomesOf(report)).toEqual([['preview', undefined, { item: 0 }], notListed(1)]);
	});

	// Of blanks, and of an expression without a value.
	it.each([' \n , ', null])('an empty list allows nobody: %j', async (onlyRecipients) => {
		const report = await send(push(), { account: limited(onlyRecipients) });
		expect(outcomesOf(report)).toEqual([notListed(0)]);
	});

	const extraBody = 'Extra Body Fields could reach other people';
	const ofEvent = { extraEventFields: '{ "segment_id": 42 }' };
	const onAndroid = { platforms: ['web', 'android'] };
	const devices = { android_id: 'a1' };

	it.each<[string, INodeParameters, string]>([
		['a push to everyone', order.pushToAll, 'this would reach everyone'],
		['an email to a segment', order.emailToSegment, 'this would reach segment 42'],
		['a message to a campaign', toCampaign, 'this would reach campaign 5501'],
		['an additional segment', toAnna({ segment_id: 42 }), 'Segment could reach other people'],
		['a tag', push({ additionalFields: { tag: 'vip' } }), 'Tag could reach'],
		['a device', push({ ...onAndroid, additionalFields: devices }), 'Android ID could reach'],
		['a copy', toAnna({ email_cc: `anna@example.com, ${eve}` }), "CC Email '…' is not in its list"],
		['an extra field', toAnna({ extraBodyFields: '={{ { note: "hello" } }}' }), extraBody],
		['one of an event', event({ additionalFields: ofEvent }), 'Extra Event Fields could reach'],
		['one of a user', user({ additionalFields: extra({ list: 'eve' }) }), extraBody],
		['a custom request', order.customPost, 'the node cannot tell whom a custom request reaches'],
		['a question', ask({ user_id: 'C-2' }), 'the recipient of this question is not in its list'],
	])('%s is refused', async (_, parameters, what) => {
		expect(await node.stops(parameters, { account: limited() })).toContain(
			`Nothing was sent: 'Only These Recipients' is on in the credential, and ${what}`,
		);
	});

	const total = { assignments: [{ name: 'total', type: 'number', value: 49.9 }] };
	const ofAnyUser = { nv: [{ userID: 'C-2', user_attributes: { email: eve } }] };
	const anyUser = user({ userID: 'C-2', email: eve, additionalFields: extra({}) });

	it.each<[string, INodeParameters, object]>([
		['a user, whoever it is,', anyUser, ofAnyUser],
		['a copy', toAnna({ email_cc: 'x@münchen.example' }), { email_cc: 'x@xn--mnchen-3ya.example' }],
		['an event with attributes', event({ attributes: total }), { nv: [{ userID: 'C-1' }] }],
		['a question to somebody in the list', ask({ user_id: 'C-1' }), { user_id: 'C-1' }],
	])('%s is sent', async (_, parameters, body) => {
		await send(parameters);
		expect(node.bodies()).toMatchObject([body]);
	});

	it('a test of a push to everyone goes to the test recipient', async () => {
		const account = limited('', { testRecipient: true, testUserId: 'tester' });
		const tested = { ...order.pushToAll, testRuns: 'testRecipient' };
		const { output } = await send(tested, { account, mode: 'manual' });
		expect(output[0]?.json).toMatchObject({ outcome: 'accepted', user_id: 'tester' });
		expect(node.bodies()).toMatchObject([{ user_id: 'tester' }]);
	});

	const testers = {
		testUserId: 'tester, or so',
		testEmail: 'Tester@Example.com',
		testMobile: '+49 151 99999999',
	};

	it.each<[string, INodeParameters]>([
		['a push', push({ user_id: 'tester, or so' })],
		['an SMS', sms({ mobile: '+4915199999999' })],
		['a copy', toAnna({ email_cc: 'tester@example.com' })],
		['a question', ask({ user_id: 'tester, or so' })],
	])('%s to a test recipient is sent only while their switch is on', async (_, parameters) => {
		for (const testRecipient of [false, true]) {
			const account = limited('anna@example.com', { ...testers, testRecipient });
			await send(parameters, { account });
			expect(node.sandbox.accepted()).toHaveLength(testRecipient ? 1 : 0);
		}
	});
});

const people: IDataObject[] = ['ana', 'ben', 'cem'].map((id) => ({
	id,
	agreed: id !== 'ben',
	title: `For ${id}`,
	mail: `${id}@example.com`,
	same: 'Spring',
	'a b': { c: id },
}));
const own = { user_id: '={{ $json.id }}' };
const more = (additionalFields: INodeParameters) => ({ additionalFields });

const id = "$('Source').first().json.id";
const idOfLast = "$('Source').last().json.id";
const idOfInput = '$input.first().json.id';
const inBrackets = "$('Source').first().json['a b'].c";
const mail = "$('Source').first().json.mail";
const agreed = "$('Source').first().json.agreed";
const toSegment = { ...order.pushToSegment, maxBroadcasts: 9 };
const ofId = `={{ ${id} }}`;

it.each<[label: string, parameters: INodeParameters, code?: string]>([
	['User ID', push({ user_id: `={{ ${idOfLast} }}` }), idOfLast],
	['User ID', push({ user_id: `={{ ${idOfInput} }}` }), idOfInput],
	['User ID', push({ user_id: `={{ ${inBrackets} }}` }), inBrackets],
	['User ID', push({ user_id: `=customer-{{ ${id} }}` })],
	['User ID', push({ user_id: `={{ $json.other || ${id} }}` })],
	['Email', email({ email: `={{ ${mail} }}` }), mail],
	['Campaign ID', { ...toCampaign, maxBroadcasts: 9, campaign_id: ofId }],
	['Segment', { ...toSegment, segment_id: { __rl: true, mode: 'id', value: ofId } }],
	['CC Email', email(more({ email_cc: `={{ ${mail} }}` })), mail],
	['Tag', push({ ...own, ...more({ tag: ofId }) })],
	['Consent', push({ ...own, ...more({ consent: `={{ ${agreed} }}` }) }), agreed],
	['Send Once Key', push({ ...own, sendOnce: true, sendOnceKey: `=Sale {{ ${id} }}` })],
])('One item that decides for all as %s is refused: %j', async (label, parameters, code = id) => {
	const [which] = code.match(/first|last/) ?? [];
	const better = code.replace(`${which}()`, 'item');
	expect(await node.stops(parameters, { rows: people })).toBe(
		`Nothing was sent: ${label}: of several items that differ, everybody gets the ${which} item's value of {{ ${code} }}. For each item's own, write {{ ${better} }}`,
	);
});

const once = { ...own, sendOnce: true };
const tagged = (tag: string) => push({ ...own, ...more({ tag: `=${tag}` }) });

it.each<[why: string, parameters: INodeParameters, rows?: IDataObject[]]>([
	['in a run of one item', push({ user_id: ofId }), people.slice(0, 1)],
	['where the items do not differ in that column', tagged("{{ $('Source').first().json.same }}")],
	['where nothing of it decides', tagged("{{ $('Source').all().length }} offers")],
	['in a key that reads its own item', push({ ...once, sendOnceKey: `${ofId} {{ $json.id }}` })],
	['in a text', push({ ...own, title: "={{ $('Source').first().json.title }}" })],
	['where the check fails', tagged("{{ $if(false, $('Nobody').first().json.id, 'Hi') }}")],
])('One item may decide %s: %j', async (_, parameters, rows = people) => {
	const report = await node.run(parameters, { rows });
	expect(report.error).toBeUndefined();
	expect(node.bodies()).toHaveLength(rows.length);
});

it('One item may decide where its node gave no other', async () => {
	const title = "={{ $('Config').first().json.title }}";
	const report = await node.run(push({ ...own, title, ...more({ tag: title }) }), {
		rows: [{ title: 'Spring' }],
		connections: [
			['Source', 0, 'Config'],
			['Config', 0, 'People'],
			['People', 0, 'Customer Messaging'],
		],
		splits: { People: () => [people.map((json) => ({ json, pairedItem: { item: 0 } })), []] },
	});
	expect(report.error).toBeUndefined();
	expect(node.arrived('tag')).toEqual(['Spring', 'Spring', 'Spring']);
});
