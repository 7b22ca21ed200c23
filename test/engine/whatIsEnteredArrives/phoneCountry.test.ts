import type { INodeParameters } from 'n8n-workflow';

import * as order from '../support/orders';
import { bodies, keyCredential, run, useSandbox } from '../support/service';

const sandbox = useSandbox();

const ofRow = '={{ $json.country }}';
const sms = {
	...order.smsSend,
	mobile: '={{ $json.phone }}',
	options: { defaultCountry: ofRow },
};
const user = {
	...order.createUser,
	userID: '={{ $json.id }}',
	mobile: '={{ $json.phone }}',
	options: { defaultCountry: ofRow },
};
const rows = [
	{ id: '1', country: 'DE', phone: '0171 3920001' },
	{ id: '2', country: 'in', phone: '98765 43210' },
	{ id: '3', country: ' UK ', phone: '07400 123456' },
	{ id: '4', country: 'GB', phone: '07400 123457' },
	{ id: '5', country: '', phone: '+1 212 555 0100' },
	{ id: '6', phone: '+1 212 555 0101' },
	{ id: '7', country: 'Deutschland', phone: '+49 171 3920002' },
	{ id: '8', country: 49, phone: '0049 171 3920003' },
];
const numbers = [
	'+491713920001',
	'+919876543210',
	'+447400123456',
	'+447400123457',
	'+12125550100',
	'+12125550101',
	'+491713920002',
	'+491713920003',
];

function sentTo(): unknown[] {
	return bodies(sandbox()).flatMap((body) => {
		const { nv, mobile } = body as {
			mobile?: string;
			nv?: Array<{ user_attributes: { mobile: string } }>;
		};
		return nv ? nv.map((one) => one.user_attributes.mobile) : [mobile];
	});
}

describe('A Default Country that each row gives', () => {
	it.each<[string, INodeParameters]>([
		['SMS', sms],
		['users', user],
		[
			'users whose columns are mapped',
			{ ...user, dataMode: 'autoMapInputData', userIdField: 'id', mobile: '' },
		],
		[
			'SMS, by an expression that only n8n can evaluate',
			{ ...sms, options: { defaultCountry: '={{ [$json.country].join("") }}' } },
		],
	])('reads the numbers of %s', async (what, parameters) => {
		const key = what.endsWith('mapped') ? 'mobile' : 'phone';
		const input = rows.map(({ phone, ...rest }) => ({ ...rest, [key]: phone }));
		const { error } = await run(sandbox(), parameters, { rows: input });
		expect(error).toBeUndefined();
		expect(sentTo()).toEqual(numbers);
	});

	it('reads the number of an email, but not of the sender of an SMS', async () => {
		const input = [{ country: 'de', phone: '0171 3920001' }];
		await run(
			sandbox(),
			{ ...order.emailSend, recipientBy: 'mobile', mobile: sms.mobile, options: sms.options },
			{ rows: input },
		);
		const { error } = await run(
			sandbox(),
			{ ...sms, sender_mobile: '0171 3920009' },
			{ rows: input },
		);
		expect(error?.message).toContain(
			"Sender Mobile '0171 3920009' has no country code. Write it as +4915112345678",
		);
		const national = { ...sms, sender_mobile: '0171 3920009', options: { defaultCountry: 'DE' } };
		await run(sandbox(), national, { rows: input });
		expect(bodies(sandbox())).toEqual([
			expect.objectContaining({ mobile: '+491713920001' }),
			expect.objectContaining({ mobile: '+491713920001', sender_mobile: '+491713920009' }),
		]);
	});

	it.each([
		['Deutschland', "has no country code, and Default Country is 'Deutschland'. Write it as"],
		['DEU', "has no country code, and Default Country is 'DEU'. Write it as"],
		['', 'has no country code. Write it as'],
		['IN', 'is not a phone number of India. Write it as'],
	])('refuses only the rows that it cannot read: %j', async (country, why) => {
		const input = [rows[0] ?? {}, { id: '2', country, phone: '07400 12345' }];
		const { failed, output } = await run(sandbox(), sms, {
			rows: input,
			onError: 'continueErrorOutput',
		});
		expect(output.map(({ json }) => json.outcome)).toEqual(['accepted']);
		expect(failed.map(({ json }) => json.error)).toEqual([expect.stringContaining(why)]);
		expect(sentTo()).toEqual(['+491713920001']);
	});

	it('proposes the number that could be meant, but not in the log', async () => {
		const { error } = await run(sandbox(), sms, {
			rows: [{ country: 'in', phone: '447400123456' }],
		});
		expect(error?.message).toBe(
			"Nothing was sent: Mobile '…' is not a phone number of India. Did you mean …? Write it with its plus",
		);
		expect(error?.description).toContain(
			"Mobile '447400123456' is not a phone number of India. Did you mean +447400123456? Write it with its plus.",
		);
	});

	it('leaves the other options to hold for the whole run', async () => {
		const options = { defaultCountry: ofRow, requestTimeout: '={{ $json.id }}' };
		const { error } = await run(sandbox(), { ...sms, options }, { rows: rows.slice(0, 2) });
		expect(error?.message).toContain("'Request Timeout (Seconds)' holds for the whole run");
		expect(sandbox().record).toEqual([]);
	});

	it('does not read the numbers of the credential', async () => {
		const limited = {
			...keyCredential(sandbox()),
			limitRecipients: true,
			onlyRecipients: '0171 3920001\n+91 98765 43210',
		};
		await run(sandbox(), sms, { rows: rows.slice(0, 2), credential: limited });
		expect(sentTo()).toEqual(['+919876543210']);
		const sender = {
			...keyCredential(sandbox()),
			defaultSenders: true,
			smsSenderName: 'ACME',
			smsSenderMobile: '0171 3920009',
			smsServiceProviderId: '8',
		};
		const { error } = await run(
			sandbox(),
			{ ...sms, senderFrom: 'credential' },
			{ rows: rows.slice(0, 1), credential: sender },
		);
		expect(error?.message).toContain(
			"In the credential, SMS Sender Mobile '0171 3920009' has no country code. Write it as +4915112345678",
		);
		expect(error?.message).not.toContain('Default Country');
	});
});
