import type { INodeParameters } from 'n8n-workflow';

import { useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

const options = { defaultCountry: '={{ $json.country }}' };
const sms = { ...order.smsSend, mobile: '={{ $json.phone }}', options };
const user = { ...order.createUser, userID: '={{ $json.id }}', mobile: sms.mobile, options };
const mapped = { ...user, dataMode: 'autoMapInputData', userIdField: 'id', mobile: '' };
/** The number that is sent for each. */
const numbers = [
	['+491713920001', { id: '1', country: 'DE', phone: '0171 3920001' }],
	['+919876543210', { id: '2', country: 'in', phone: '98765 43210' }],
	['+447400123456', { id: '3', country: ' UK ', phone: '07400 123456' }],
	['+447400123457', { id: '4', country: 'GB', phone: '07400 123457' }],
	['+12125550100', { id: '5', country: '', phone: '+1 212 555 0100' }],
	['+12125550101', { id: '6', phone: '+1 212 555 0101' }],
	['+491713920002', { id: '7', country: 'Deutschland', phone: '+49 171 3920002' }],
	['+491713920003', { id: '8', country: 49, phone: '0049 171 3920003' }],
] as const;
const rows = numbers.map(([, row]) => row);
const [inGermany = {}] = rows;

const sentTo = () =>
	node.bodies().flatMap((body) => {
		const { nv = [{ user_attributes: body }] } = body as {
			nv?: Array<{ user_attributes: unknown }>;
		};
		return nv.map((one) => (one.user_attributes as { mobile: string }).mobile);
	});

describe('A Default Country that each row gives', () => {
	const byN8n = { ...sms, options: { defaultCountry: '={{ [$json.country].join("") }}' } };
	it.each<[string, INodeParameters]>([
		['SMS', sms],
		['users', user],
		['users whose columns are mapped', mapped],
		['SMS, by an expression that only n8n can evaluate', byN8n],
	])('reads the numbers of %s', async (_, parameters) => {
		const key = parameters.mobile === '' ? 'mobile' : 'phone';
		const input = rows.map(({ phone, ...rest }) => ({ ...rest, [key]: phone }));
		await node.run(parameters, { rows: input });
		expect(sentTo()).toEqual(numbers.map(([number]) => number));
	});

	it('reads the number of an email, but not of the sender of an SMS', async () => {
		const input = { rows: [inGermany] };
		const email = { ...order.emailSend, recipientBy: 'mobile', mobile: sms.mobile, options };
		await node.run(email, input);
		const fromNational = { ...sms, sender_mobile: '0171 3920009' };
		const { error } = await node.run(fromNational, input);
		expect(error?.message).toContain(
			"Sender Mobile '0171 3920009' has no country code. Write it as +4915112345678",
		);
		await node.run({ ...fromNational, options: { defaultCountry: 'DE' } }, input);
		const mobile = '+491713920001';
		expect(node.bodies()).toEqual([
			expect.objectContaining({ mobile }),
			expect.objectContaining({ mobile, sender_mobile: '+491713920009' }),
		]);
	});

	it.each([
		['Deutschland', "has no country code, and Default Country is 'Deutschland'. Write it as"],
		['DEU', "has no country code, and Default Country is 'DEU'. Write it as"],
		['', 'has no country code. Write it as'],
		['IN', 'is not a phone number of India. Write it as'],
	])('refuses only the rows that it cannot read: %j', async (country, why) => {
		const { failed, output } = await node.run(sms, {
			rows: [inGermany, { id: '2', country, phone: '07400 12345' }],
			onError: 'continueErrorOutput',
		});
		expect(output.map(({ json }) => json.outcome)).toEqual(['accepted']);
		expect(failed.map(({ json }) => json.error)).toEqual([expect.stringContaining(why)]);
		expect(sentTo()).toEqual(['+491713920001']);
	});

	it('proposes the number that could be meant, but not in the log', async () => {
		const rows = [{ country: 'in', phone: '447400123456' }];
		const { error } = await node.run(sms, { rows });
		const shown = (number: string, meant: string) =>
			`Mobile '${number}' is not a phone number of India. Did you mean ${meant}? Write it with its plus`;
		expect(error?.message).toBe(`Nothing was sent: ${shown('…', '…')}`);
		expect(error?.description).toContain(`${shown('447400123456', '+447400123456')}.`);
	});

	it('leaves the other options to hold for the whole run', async () => {
		const both = { ...options, requestTimeout: '={{ $json.id }}' };
		const { error } = await node.run({ ...sms, options: both }, { rows: rows.slice(0, 2) });
		expect(error?.message).toContain("'Request Timeout (Seconds)' holds for the whole run");
		expect(node.sandbox.record).toEqual([]);
	});

	it('does not read the numbers of the credential', async () => {
		const account = node.credential;
		const onlyRecipients = '0171 3920001\n+91 98765 43210';
		const limited = { ...account, limitRecipients: true, onlyRecipients };
		await node.run(sms, { rows: rows.slice(0, 2), credential: limited });
		expect(sentTo()).toEqual(['+919876543210']);
		const sender = { smsSenderName: 'ACME', smsSenderMobile: '0171 3920009' };
		const credential = { ...account, defaultSenders: true, ...sender, smsServiceProviderId: '8' };
		const parameters = { ...sms, senderFrom: 'credential' };
		const { error } = await node.run(parameters, { rows: [inGermany], credential });
		expect(error?.message).toContain(
			"In the credential, SMS Sender Mobile '0171 3920009' has no country code. Write it as +4915112345678",
		);
		expect(error?.message).not.toContain('Default Country');
	});
});
