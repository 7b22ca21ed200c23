import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { email, push, toCampaign } from '../support/mistakes';
import { hintsOf, useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

const asked = (parameters: INodeParameters, consent = '={{ $json.agreed }}'): INodeParameters => ({
	options: { sendDuplicates: true },
	...parameters,
	additionalFields: { consent },
});
const send = async (parameters: INodeParameters, rows: IDataObject[]) =>
	await node.run(parameters, { rows });

describe('Consent', () => {
	const agreed = [true, 'true', 'TRUE', ' Yes ', 'yes', '1', 1];
	const refused = [false, 'false', 'No', '0', 0, '', ' ', null, undefined];

	it('decides whether a message is sent or shown, and is not sent itself', async () => {
		const rows = [...agreed, ...refused].map((value) => ({ agreed: value }));
		const report = await send(asked(order.emailSend), rows);
		expect(report.error).toBeUndefined();
		const told = report.output.map(({ json, pairedItem: to }) => [json.outcome, json.reason, to]);
		expect(told).toEqual([
			...agreed.map((_, item) => ['accepted', undefined, { item }]),
			...refused.map((_, item) => ['skipped', 'noConsent', { item: agreed.length + item }]),
		]);
		expect(hintsOf(report)).toContain(
			"Items 7–15 (the first is ravi@example.com): 9 messages were skipped because the recipient has not agreed: 'Consent' is empty, false, no or 0.",
		);
		expect(node.bodies()).toHaveLength(agreed.length);
		expect(JSON.stringify(node.bodies())).not.toContain('consent');
		const previewed = asked(push({ options: { previewOnly: true } }));
		const { output } = await send(previewed, [{ agreed: true }, { agreed: false }]);
		expect(output.map(({ json }) => json.outcome)).toEqual(['preview', 'skipped']);
	});

	it.each(['subscribed', 2, ['yes']])('is refused as a value if it is %j', async (agreed) => {
		expect(await node.refusal(asked(push()), { agreed })).toMatch(
			/^Consent is .*\. It must be true, yes or 1 for people who agreed, and false, no, 0 or empty for all others/,
		);
	});

	it.each([
		[[{}], false],
		[[{}, { agreed: false }], false],
		[[{}, { agreed: '' }], true],
	])('that is empty skips %j; in all of several, with a warning: %p', async (rows, isWarned) => {
		const report = await send(asked(push()), rows);
		expect(report.output.map(({ json }) => json.reason)).toEqual(rows.map(() => 'noConsent'));
		expect(node.sandbox.record).toEqual([]);
		const warning =
			'Consent is empty in all 2 items, so nobody got the message. The column is probably named otherwise: correct its expression.';
		expect(hintsOf(report).includes(warning)).toBe(isWarned);
	});

	it('comes before Send Once, so that who agrees later gets the message', async () => {
		const told = [];
		for (const value of [false, true, true]) {
			const { output } = await send(asked(push({ sendOnce: true })), [{ agreed: value }]);
			told.push(output[0]?.json.reason ?? output[0]?.json.outcome);
		}
		expect(told).toEqual(['noConsent', 'accepted', 'sentBefore']);
	});
});

describe('With Require Consent in the credential', () => {
	const requiring = { account: { requireConsent: true } };

	it('a message without the field is refused', async () => {
		expect(await node.stops(order.smsSend, requiring)).toBe(
			"Nothing was sent: The credential requires consent for each message to a person. Add 'Consent' under Additional Fields, with the column that says whether the person agreed",
		);
	});

	const agreeing = (fields: INodeParameters) => ({
		additionalFields: { consent: '={{ $json.agreed }}', ...fields },
	});
	const extra = (fields: object) => ({ extraBodyFields: JSON.stringify(fields) });
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
	])('%s is refused, also in a preview', async (_, parameters, what) => {
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
	])('%s is sent', async (_, parameters) => {
		const { output } = await node.run(parameters, { ...requiring, rows: [{ agreed: 'yes' }] });
		expect(output[0]?.json.outcome).toBe('accepted');
	});

	it('a broadcast is sent, with a hint', async () => {
		const report = await node.run(order.pushToAll, requiring);
		expect(report.output[0]?.json.outcome).toBe('accepted');
		expect(hintsOf(report)).toContain(
			'The credential requires consent, but the node cannot see who of the recipients of a broadcast agreed. Send it only to a segment of people who did.',
		);
	});
});

describe('Consent by an expression', () => {
	const stops = async (consent: string, rows: IDataObject[] = [{}]) =>
		await node.stops(asked(push(), consent), { rows });

	it.each([
		...['{{ $json.c || true }}', '{{ !$json.c }}', '{{ Boolean($json.c) }}', '{{ ($json.c) }}'],
		...['{{ $json.c ?? "yes" }}', '{{ $json.c.isEmpty() }}', "{{ $json.c && 'yes' }}"],
		...['{{ $json.c || false || true }}', '{{ $json.c }}{{ $json.c }}', 'y{{ $json.c }}'],
	])('is refused where it is computed: %s', async (consent) => {
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
	])('decides as one plain column: {{ %s }}', async (code, row, denied) => {
		const { output, error } = await send(asked(push(), `= {{ ${code} }} `), [row, ...denied]);
		expect(error).toBeUndefined();
		expect(output.map(({ json }) => json.outcome)).toEqual([
			'accepted',
			...denied.map(() => 'skipped'),
		]);
	});

	it.each<[consent: string | boolean, outcome: string]>([
		['yes', 'accepted'],
		['={{ true }}', 'accepted'],
		["={{ 'no' }}", 'skipped'],
		[false, 'skipped'],
	])('decides as a fixed value: %j', async (consent, outcome) => {
		const { output } = await send(asked(push(), consent as string), [{}]);
		expect(output[0]?.json.outcome).toBe(outcome);
	});

	it.each([
		...['$json.HasOptedOutOfEmail', '$json.EMAIL_BLACKLISTED', '$json.hs_email_optout'],
		...['$json["Unsubscribed from email"]', "$json['opt-out']", '$json.emailunsubscribed'],
		...['$json.email_suppression', '$json.DoNotContact', '$json.dnd', '$json.donotbulkemail'],
		...['$json.hard_bounce', "$('Contacts').item.json.opted_out", '$json.consentWithdrawn'],
		...['$json.SMSDoNotContact', '$json.isDNC', '$json.newsletter_abgemeldet'],
		...['$json.contacts[0].opted_out', '$json.consent_opt_out', "$json.unsubscribed || ''"],
	])('is refused where its column says who opted out: {{ %s }}', async (code) => {
		expect(await stops(`= {{ ${code} }} `, [{ unsubscribed: false, opted_out: 'no' }])).toMatch(
			/by its name says who opted out: they would get this, and all others would not\. Compute yes or no in an Edit Fields node before$/,
		);
	});

	it.each([
		...['newsletter', 'opt_in', 'subscribed', 'isNotBlacklisted', 'no_opt_out', 'neverBounced'],
		...['nicht_abgemeldet', 'opt_out_consent', 'option'],
	])('is another column: %s', async (column) => {
		const { output } = await send(asked(push(), `={{ $json.${column} }}`), [{ [column]: 'yes' }]);
		expect(output[0]?.json.outcome).toBe('accepted');
	});
});
