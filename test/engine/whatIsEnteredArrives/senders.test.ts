import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import * as order from '../support/orders';
import { bodies, keyCredential, onlyArrival, run, useSandbox } from '../support/service';

const sandbox = useSandbox();

const defaults = {
	defaultSenders: true,
	emailSenderName: 'Acme by default',
	emailSenderAddress: 'default@shop.example.com',
	emailServiceProviderId: 3,
	smsSenderName: 'ACMESMS',
	smsSenderMobile: '+919800000009',
	smsServiceProviderId: 4,
};
const emailSender = {
	sender_name: 'Acme by default',
	sender_email: 'default@shop.example.com',
	serviceproviderID: 3,
};
const smsSender = {
	sender_name: 'ACMESMS',
	sender_mobile: '+919800000009',
	serviceproviderID: 4,
};

/** Runs the node with these fields in the credential. */
async function runWith(
	credential: ICredentialDataDecryptedObject,
	parameters: INodeParameters,
	rest: Partial<Parameters<typeof run>[2]> = {},
) {
	return await run(sandbox(), parameters, {
		credential: { ...keyCredential(sandbox()), ...credential },
		...rest,
	});
}

const fromCredential = { senderFrom: 'credential' };

describe('The default sender of the credential', () => {
	it.each([
		['email send', order.emailSend, emailSender],
		['email broadcast', order.emailBroadcast, emailSender],
		['email broadcastAll', order.emailToAll, emailSender],
		['email broadcastSegment', order.emailToSegment, emailSender],
		['sms send', order.smsSend, smsSender],
		['sms broadcast', order.smsBroadcast, smsSender],
		['sms broadcastAll', order.smsToAll, smsSender],
		['sms broadcastSegment', order.smsToSegment, smsSender],
	])('is that of %s, even if the node still holds another', async (_, parameters, sender) => {
		await runWith(defaults, { ...parameters, ...fromCredential });
		const { outcome, body } = onlyArrival(sandbox());
		expect(outcome).toBe('accepted');
		expect(body).toMatchObject(sender);
	});

	it('is used where the node says nothing, so that an email needs four fields', async () => {
		const { resource, operation, email, subject, campaign_name, content } = order.emailSend;
		const parameters = { resource, operation, email, subject, campaign_name, content };
		await runWith(defaults, parameters);
		const [body] = bodies(sandbox()) as Array<Record<string, unknown>>;
		const { schedule_date, schedule_time, ...rest } = body ?? {};
		expect([typeof schedule_date, typeof schedule_time]).toEqual(['number', 'number']);
		expect(rest).toStrictEqual({ email, subject, campaign_name, content, ...emailSender });
	});
});

/** The problems of a row that the credential's default senders keep from being sent. */
async function problemsWith(
	credential: ICredentialDataDecryptedObject,
	parameters: INodeParameters,
) {
	const all = { ...parameters, ...fromCredential };
	const { failed } = await runWith(credential, all, { onError: 'continueErrorOutput' });
	const { error } = await runWith(credential, all);
	expect(sandbox().record).toEqual([]);
	const { outcome, problems } = failed[0]?.json.details as {
		outcome: string;
		problems: Array<{ field: string; label: string; message: string }>;
	};
	expect(outcome).toBe('invalid');
	const { message: told = '', description = '' } = error ?? {};
	for (const { message } of problems) expect(`${told} ${description ?? ''}`).toContain(message);
	return problems;
}

describe('A credential without a default sender', () => {
	it.each([
		[
			'an email',
			order.emailSend,
			"'Email Sender Name', 'Email Sender Address', 'Email Service Provider ID'",
		],
		['an SMS', order.smsSend, "'SMS Sender Name', 'SMS Sender Mobile', 'SMS Service Provider ID'"],
	])('refuses %s and names what to fill in there', async (_, parameters, labels) => {
		const expected = [
			{
				field: 'defaultSenders',
				label: 'Default Senders',
				message: `The credential has no default sender. Turn on 'Default Senders' in the credential and fill in ${labels} there, or set 'Sender' to Define Below`,
			},
		];
		expect(await problemsWith({}, parameters)).toEqual(expected);
		const switchedOff = { ...defaults, defaultSenders: false };
		expect(await problemsWith(switchedOff, parameters)).toEqual(expected);
	});

	it('refuses a row for each field that is empty there', async () => {
		const credential = { ...defaults, smsSenderName: '', smsServiceProviderId: 0 };
		expect(await problemsWith(credential, order.smsSend)).toEqual([
			{
				field: 'smsSenderName',
				label: 'SMS Sender Name',
				message: 'In the credential, SMS Sender Name is empty. Fill it in',
			},
			{
				field: 'smsServiceProviderId',
				label: 'SMS Service Provider ID',
				message:
					'In the credential, SMS Service Provider ID is not filled in. Enter a whole number, 1 or more',
			},
		]);
	});

	it.each([
		['emailSenderAddress', 'Acme', order.emailSend],
		['emailSenderName', 'Acme\nBcc: all@example.com', order.emailSend],
		['emailServiceProviderId', 1.5, order.emailSend],
		['smsSenderMobile', 'Acme Shop of Berlin', order.smsSend],
		['smsServiceProviderId', -1, order.smsSend],
	])('refuses a row whose %s there cannot be used: %p', async (field, value, parameters) => {
		const problems = await problemsWith({ ...defaults, [field]: value }, parameters);
		expect(problems.map((problem) => problem.field)).toEqual([field]);
	});

	it.each([
		['a push', order.pushSend],
		['a user', order.createUser],
		['an SMS with a sender of its own', order.smsSend],
	])('sends %s', async (_, parameters) => {
		await runWith({ ...defaults, emailSenderAddress: 'x', smsSenderMobile: 'x' }, parameters);
		expect(onlyArrival(sandbox()).outcome).toBe('accepted');
	});
});
