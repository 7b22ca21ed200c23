import { useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

const emailSender = { sender_name: 'Acme', sender_email: 'acme@a.example', serviceproviderID: 3 };
const smsSender = { sender_name: 'ACMESMS', sender_mobile: '+919800000009', serviceproviderID: 4 };
const defaults = {
	defaultSenders: true,
	emailSenderName: 'Acme',
	emailSenderAddress: 'acme@a.example',
	emailServiceProviderId: 3,
	smsSenderName: 'ACMESMS',
	smsSenderMobile: '+919800000009',
	smsServiceProviderId: 4,
};
const { emailSend, smsSend } = order;

describe('The default sender of the credential', () => {
	it.each([
		...[emailSend, order.emailBroadcast, order.emailToAll, order.emailToSegment],
		...[smsSend, order.smsBroadcast, order.smsToAll, order.smsToSegment],
	])('is that of $resource $operation, even if the node holds another', async (parameters) => {
		await node.run({ ...parameters, senderFrom: 'credential' }, { account: defaults });
		const body = parameters.resource === 'email' ? emailSender : smsSender;
		expect(node.onlyArrival()).toMatchObject({ outcome: 'accepted', body });
	});

	it('is used where the node says nothing, so that an email needs four fields', async () => {
		const { resource, operation, email, subject, campaign_name, content } = emailSend;
		const fields = { email, subject, campaign_name, content };
		await node.run({ resource, operation, ...fields }, { account: defaults });
		const { body } = node.onlyArrival() as { body: object };
		expect(body).toMatchObject({ ...fields, ...emailSender });
		expect(Object.keys(body)).toHaveLength(9);
	});
});

describe('A credential without a default sender', () => {
	const ofEmail = "'Email Sender Name', 'Email Sender Address', 'Email Service Provider ID'";
	const ofSms = "'SMS Sender Name', 'SMS Sender Mobile', 'SMS Service Provider ID'";

	it.each([
		['an email', { ...emailSend, senderFrom: 'credential' }, ofEmail],
		['an SMS', { ...smsSend, senderFrom: 'credential' }, ofSms],
	])('refuses %s and names what to fill in there', async (_, parameters, labels) => {
		for (const account of [{}, { ...defaults, defaultSenders: false }])
			expect(await node.stops(parameters, { account })).toBe(
				`Nothing was sent: The credential has no default sender. Turn on 'Default Senders' in the credential and fill in ${labels} there, or set 'Sender' to Define Below`,
			);
	});

	it.each([
		['Email Sender Name', { emailSenderName: 'Acme\nBcc: all@example.com' }, emailSend],
		['SMS Sender Mobile', { smsSenderMobile: 'Acme Shop of Berlin' }, smsSend],
	])('refuses a row whose %s there cannot be used: %j', async (label, fields, parameters) => {
		const run = { account: { ...defaults, ...fields }, onError: 'continueErrorOutput' } as const;
		const { failed } = await node.run({ ...parameters, senderFrom: 'credential' }, run);
		const message = expect.stringContaining(`In the credential, ${label} `) as string;
		expect(failed).toMatchObject([{ json: { details: { problems: [{ label, message }] } } }]);
		expect(node.sandbox.record).toEqual([]);
	});

	it.each([
		['a user', order.createUser],
		['an SMS with a sender of its own', smsSend],
	])('sends %s', async (_, parameters) => {
		const account = { ...defaults, emailSenderAddress: 'x', smsSenderMobile: 'x' };
		await node.run(parameters, { account });
		expect(node.onlyArrival().outcome).toBe('accepted');
	});
});
