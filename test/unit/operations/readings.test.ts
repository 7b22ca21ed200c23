import {
	inColumn,
	isMapped,
	readMapped,
} from '../../../nodes/CustomerMessaging/operations/dataMode';
import { clashesWith } from '../../../nodes/CustomerMessaging/operations/extra';
import type { DefaultSenders } from '../../../nodes/CustomerMessaging/operations/operation';
import {
	checkDefaultSenders,
	pickDefaultSenders,
	readSender,
} from '../../../nodes/CustomerMessaging/operations/sender';
import { smsParts, smsTexts } from '../../../nodes/CustomerMessaging/operations/smsParts';

describe('Extra fields', () => {
	it('must not repeat a key that the node sets', () => {
		expect(clashesWith({ title: 'x', other: 1 }, { title: 'y' })).toEqual([
			{
				field: 'extraBodyFields',
				message:
					"Extra Body Fields must not contain 'title', because the node sets it. Use the field for it instead",
			},
		]);
		expect(clashesWith({ toString: 1 }, { title: 'y' })).toEqual([]);
		expect(clashesWith(undefined, { title: 'y' })).toEqual([]);
	});

	it('are named by their own label', () => {
		const extra = { field: 'extraEventFields', label: 'Extra Event Fields' };
		expect(clashesWith({ ltv: 1 }, { ltv: 2 }, extra)).toEqual([
			{
				field: 'extraEventFields',
				message:
					"Extra Event Fields must not contain 'ltv', because the node sets it. Use the field for it instead",
			},
		]);
	});
});

describe('The columns of a row', () => {
	const json = { id: 'C-1', plan: 'gold', row: 2, note: '' };

	it('are the data only if they are chosen', () => {
		expect(isMapped({ dataMode: 'autoMapInputData' })).toBe(true);
		expect(isMapped({ dataMode: 'defineBelow' })).toBe(false);
		expect(isMapped({})).toBe(false);
	});

	it('become an ID and attributes, except those that are ignored', () => {
		expect(readMapped({ userIdField: 'id', ignoreFields: 'row , other' }, json, false)).toEqual({
			idField: 'id',
			id: 'C-1',
			attributes: [{ field: 'plan', name: 'plan', value: 'gold' }],
			problems: [],
			otherColumns: undefined,
		});
	});

	it('may be sent although they are empty', () => {
		const { attributes } = readMapped({ userIdField: 'id', ignoreFields: 'row' }, json, true);
		expect(attributes.map(({ name }) => name)).toEqual(['plan', 'note']);
	});

	it.each([undefined, null, ''])('hold the ID under userID if the name of it is %j', (name) => {
		const read = readMapped({ userIdField: name, ignoreFields: name }, { userID: 'C-1' }, false);
		expect(read).toEqual({
			idField: 'userID',
			id: 'C-1',
			attributes: [],
			problems: [],
			otherColumns: undefined,
		});
	});

	it('are listed if the one with the ID is missing', () => {
		expect(readMapped({ userIdField: 'customer' }, json, false)).toMatchObject({
			idField: 'customer',
			id: undefined,
			otherColumns: ['id', 'plan', 'row', 'note'],
		});
	});

	it('must be named by text', () => {
		expect(readMapped({ userIdField: 7, ignoreFields: ['row'] }, json, false).problems).toEqual([
			{ field: 'userIdField', message: 'User ID Field must be the name of an input field' },
			{
				field: 'ignoreFields',
				message: 'Ignore Fields must be names of input fields, separated by commas',
			},
		]);
	});
});

describe('What is wrong with an ID from a column', () => {
	const problem = { field: 'userID', message: 'User ID is empty. Fill it in' };

	it('names the column', () => {
		expect(inColumn(problem, { idField: 'customer' })).toEqual({
			field: 'userID',
			message: "User ID (column 'customer') is empty. Fill it in",
		});
	});

	it('does not name a column that is called like the field', () => {
		expect(inColumn(problem, { idField: 'userID' })).toEqual(problem);
	});

	it('is no matter of other fields', () => {
		const other = { field: 'email', message: 'User ID' };
		expect(inColumn(other, { idField: 'customer', otherColumns: [] })).toEqual(other);
	});

	it.each([
		[['id', 'plan'], 'id, plan'],
		[['x'.repeat(70)], `${'x'.repeat(60)}…`],
		[[], 'none'],
	])('lists the columns there are: %j', (otherColumns, listed) => {
		expect(inColumn(problem, { idField: 'customer', otherColumns })).toEqual({
			field: 'userID',
			message: `The input has no column 'customer'. Columns: ${listed}. Enter the one with the user's ID under 'User ID Field'`,
		});
	});
});

describe('The sender of a campaign', () => {
	const defaults: DefaultSenders = {
		emailSenderName: 'Acme',
		emailSenderAddress: 'news@acme.example',
		emailServiceProviderId: 7,
		smsSenderName: 'Acme',
		smsSenderMobile: '72345',
		smsServiceProviderId: 8,
	};
	const read = (
		resource: 'email' | 'sms',
		parameters: Record<string, unknown>,
		senders: DefaultSenders | undefined = defaults,
	) => readSender(resource, parameters, { senders, fieldOptions: {} });

	it.each([undefined, null, '', 'credential'])('is that of the credential for %j', (senderFrom) => {
		expect(read('email', { senderFrom, sender_name: 'Other' })).toEqual({
			sender: {
				sender_name: 'Acme',
				sender_email: 'news@acme.example',
				serviceproviderID: 7,
			},
		});
		expect(read('sms', { senderFrom })).toEqual({
			sender: { sender_name: 'Acme', sender_mobile: '72345', serviceproviderID: 8 },
		});
	});

	it('may be defined in the node', () => {
		const own = { sender_name: 'Own', sender_email: 'a@b.example', serviceproviderID: 9 };
		expect(read('email', { senderFrom: 'define', ...own })).toEqual({ sender: own });
		expect(read('email', { senderFrom: 'define', ...own, sender_email: 'x' })).toEqual({
			problems: [
				{
					field: 'sender_email',
					message: "Sender Email 'x' is not an email address. Write it as name@example.com",
				},
			],
		});
	});

	it('comes from nowhere else', () => {
		expect(read('email', { senderFrom: 'other' })).toEqual({
			problems: [
				{
					field: 'senderFrom',
					message: "Sender cannot be 'other'. Choose Credential's Default Sender or Define Below",
				},
			],
		});
	});

	it('is asked for if the credential has none', () => {
		const none = readSender('sms', {}, { senders: undefined, fieldOptions: {} });
		expect(none).toEqual({
			problems: [
				{
					field: 'defaultSenders',
					message:
						"The credential has no default sender. Turn on 'Default Senders' in the credential and fill in 'SMS Sender Name', 'SMS Sender Mobile', 'SMS Service Provider ID' there, or set 'Sender' to Define Below",
				},
			],
		});
	});

	it('is refused by the fields of the credential', () => {
		expect(
			read('email', {}, { ...defaults, emailSenderName: '', emailServiceProviderId: 0 }),
		).toEqual({
			problems: [
				{
					field: 'emailSenderName',
					message: 'In the credential, Email Sender Name is empty. Fill it in',
				},
				{
					field: 'emailServiceProviderId',
					message:
						'In the credential, Email Service Provider ID is not filled in. Enter a whole number, 1 or more',
				},
			],
		});
	});

	it('is read from the credential only if it is switched on', () => {
		expect(pickDefaultSenders({ ...defaults, other: 1 })).toBeUndefined();
		expect(pickDefaultSenders({ ...defaults, other: 1, defaultSenders: true })).toEqual(defaults);
	});

	it('is checked in the credential where it is filled in', () => {
		expect(checkDefaultSenders()).toEqual([]);
		expect(checkDefaultSenders(defaults)).toEqual([]);
		expect(
			checkDefaultSenders({ emailServiceProviderId: 0, smsSenderName: '', smsSenderMobile: null }),
		).toEqual([]);
		expect(checkDefaultSenders({ emailServiceProviderId: -1, emailSenderAddress: 'x' })).toEqual([
			{
				field: 'emailSenderAddress',
				message:
					"In the credential, Email Sender Address 'x' is not an email address. Write it as name@example.com",
			},
			{
				field: 'emailServiceProviderId',
				message:
					"In the credential, Email Service Provider ID must be a whole number, 1 or more, but it is '-1'",
			},
		]);
	});
});

// 160 characters of GSM-7 or 70 of UCS-2 fit into one part, 153 or 67 into each of several.
describe('An SMS', () => {
	it.each([
		['a'.repeat(160), 1, 'GSM-7'],
		['a'.repeat(161), 2, 'GSM-7'],
		['a'.repeat(306), 2, 'GSM-7'],
		['a'.repeat(307), 3, 'GSM-7'],
		['ж'.repeat(70), 1, 'UCS-2'],
		['ж'.repeat(71), 2, 'UCS-2'],
		['a'.repeat(5_000), 33, 'GSM-7'],
	])('is split into parts as networks do', (message, parts, encoding) => {
		expect(smsParts(message)).toEqual({ parts, encoding });
		const texts = smsTexts(message);
		expect(texts?.encoding).toBe(encoding);
		expect(texts?.parts).toHaveLength(parts);
		expect(texts?.parts.join('')).toBe(message);
	});

	it('is not split if it is longer than any SMS', () => {
		expect(smsParts('a'.repeat(5_001))).toBeUndefined();
		expect(smsTexts('a'.repeat(5_001))).toBeUndefined();
	});
});
