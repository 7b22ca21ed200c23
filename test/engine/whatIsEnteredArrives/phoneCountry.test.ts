import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useNode } from '../support/node';
import * as order from '../support/orders';

const of = (country: string, outcome: string, ...all: string[]) =>
	all.map((written) => [country, written, outcome] as const);

/** Numbers as people write them at home: the Default Country, the number, and E.164. */
const national: Array<readonly [country: unknown, written: string, sent: string]> = [
	...of('DE', '+491713920001', '0171/3920001', '0171.392.00.01', "'0171 3920001"),
	...of('IT', '+390612345678', '06 1234 5678'),
	// As spreadsheets and pandas write whole numbers that they took for decimals.
	...of('IN', '+919876500000', '9876500000.0', '9876500000,0', '9876500000.00'),
	...of('DE', '+491713920001', '1713920001.0', '491713920001.0'),
	// A number from abroad, as the country dials, and one without its plus.
	...of('US', '+491713920001', '011 49 171 3920001'),
	...of('GB', '+447400123456', '447400123456'),
	// A country in other letters, and numbers that need none.
	...of('in', '+919876543211', '98765 43211'),
	// 00 means the plus, also where something else is dialled.
	...of('US', '+491701234567', '0049 170 1234567'),
	// National numbers that only begin like a country code, and a landline with its zero.
	...of('DE', '+4915122345678', '15122345678'),
	...of('LU', '+352223344', '22 33 44'),
	...of('DE', '+494917139200', '04917139200'),
	// Not valid as far as the library knows, but possible.
	...of('AU', '+951567494404', '00951567494404'),
	['', '+1 212 555 0101', '+12125550101'],
	[49, '0049 171 3920003', '+491713920003'],
];

const none = 'is not a phone number with country code';
const not = (country: string) => `is not a phone number of ${country}`;
const noCountry = 'has no country code';
const write = 'Write it as +4915112345678';
const landline = (country: string) =>
	`may be a landline of ${country}, or a number whose plus is missing. Write it with its plus`;

/** What is refused: the country set as Default Country, the value, and the message. */
const refused = [
	...of('DE', none, '0171-392 00 01/2', '0171 3920001 (2)', '0171 1234567;0172 7654321'),
	// The country's own code, behind which a landline could begin so, too, and another country's.
	...of('DE', landline('Germany'), '4917139200', '447400123456'),
	...of('IT', landline('Italy'), '390612345678'),
	// A last digit alone is no group, and others that no library calls possible.
	...of('LU', 'is not a phone number', '76.16.98.0'),
	...of('DE', '', '12345', 'Call +4915112345678'),
	// The zero in brackets is part of the number in some countries only.
	...of('', none, '+45 (0)12 34 56 78', '+45 (00) 12 34 56 78', '+352 (0)621 123 456'),
	...of('', none, '+4915112345678901', '+49 170 1234567²'),
	...of('', none, '+491711234567+491727654321', 'tel:+12125550100;ext=42'),
	...of('IN', none, '9876500000.5', '9876500000,25', '9.8765E+09', '9,19877E+11'),
	...of('GB', `${not('United Kingdom')}. ${write}`, '250-555-0100', '12125550100'),
	...of('', `${noCountry}. ${write}, or choose a Default Country`, '0171 3920001', '447400123456'),
	...of('DEU', `${noCountry}, and Default Country is 'DEU'. Write it as`, '07400 12345'),
];

const node = useNode();

const options = { defaultCountry: '={{ $json.country }}' };
const sms = { ...order.smsSend, mobile: '={{ $json.phone }}', options };
const user = { ...order.createUser, userID: '={{ $json.id }}', mobile: sms.mobile, options };
const mapped = { ...user, dataMode: 'autoMapInputData', userIdField: 'id', mobile: '' };
const inGermany = { country: 'DE', phone: '0171 3920001' };

const sentTo = () =>
	node.bodies().flatMap((body) => {
		const { nv, mobile } = body as { nv?: IDataObject[]; mobile?: string };
		return nv?.map((one) => (one.user_attributes as IDataObject).mobile) ?? [mobile];
	});

describe('A Default Country that each row gives', () => {
	const byN8n = { ...sms, options: { defaultCountry: '={{ [$json.country].join("") }}' } };
	it.each<[string, INodeParameters, column: string]>([
		['SMS', sms, 'phone'],
		['users', user, 'phone'],
		['users whose columns are mapped', mapped, 'mobile'],
		['SMS, by an expression that only n8n can evaluate', byN8n, 'phone'],
	])('reads the numbers of %s', async (_, parameters, column) => {
		const more = { ...(parameters.options as object), sendDuplicates: true, concurrency: 1 };
		const rows = national.map(([country, written], id) => {
			return { id: `C-${id}`, country, [column]: written } as IDataObject;
		});
		await node.run({ ...parameters, options: more }, { rows });
		const sent = sentTo().map((mobile, index) => [national[index]?.[1], mobile]);
		expect(sent).toEqual(national.map(([, written, mobile]) => [written, mobile]));
	});

	it.each(refused)('%j refuses a number: %s %s', async (country, phone, why) => {
		const told = expect.stringContaining(`Mobile '${phone}' ${why}`) as string;
		expect(await node.refusals(sms, [inGermany, { country, phone }])).toEqual([told]);
		expect(sentTo()).toEqual(['+491713920001']);
	});

	it('reads the number of an email, but not of the sender of an SMS', async () => {
		const email = { ...order.emailSend, recipientBy: 'mobile', mobile: sms.mobile, options };
		expect(await node.refusal(email, inGermany)).toBeUndefined();
		const mobile = '+491713920001';
		expect(node.bodies()).toMatchObject([{ mobile }]);
		const fromNational = { ...sms, sender_mobile: '0171 3920009' };
		const told = await node.refusal(fromNational, inGermany);
		expect(told).toContain("Sender Mobile '0171 3920009' has no country code. Write");
		const inOptions = { ...fromNational, options: { defaultCountry: 'DE' } };
		expect(await node.refusal(inOptions, inGermany)).toBeUndefined();
		expect(node.bodies()).toMatchObject([{ mobile, sender_mobile: '+491713920009' }]);
	});

	it('does not read the numbers of the credential', async () => {
		const rows = [inGermany, { country: 'in', phone: '98765 43210' }];
		const limited = { limitRecipients: true, onlyRecipients: '0171 3920001\n+91 98765 43210' };
		await node.run(sms, { rows, account: limited });
		expect(sentTo()).toEqual(['+919876543210']);
		const sender = { smsSenderName: 'ACME', smsSenderMobile: '0171 3920009' };
		const account = { defaultSenders: true, ...sender, smsServiceProviderId: '8' };
		const parameters = { ...sms, senderFrom: 'credential' };
		const { error } = await node.run(parameters, { rows: [inGermany], account });
		expect(error?.message).toBe(
			"Nothing was sent: In the credential, SMS Sender Mobile '…' has no country code. Write it as +4915112345678",
		);
	});
});
