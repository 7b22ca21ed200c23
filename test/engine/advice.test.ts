import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { execute } from './engine';
import * as order from './orders';
import { accountOf, roomySandbox } from './sends';

const address = (name: string) => `${name} Address in the credential`;
const schedule = 'Custom Schedule Format and Schedule Zone in the credential';
const mail = [schedule, address('Email and SMS')];

/** What is worth checking after a refusal, by its name in the editor, and nothing else. */
const cases: Array<[string, INodeParameters, string[]]> = [
	['user create', order.createUser, ['Batch Size under Options', address('User and Event')]],
	['push send', order.pushSend, ['Recipient By and its field', schedule, address('Push')]],
	['push broadcastAll', order.pushToAll, [schedule, address('Push')]],
	['push broadcastSegment', order.pushToSegment, ['Segment ID', schedule, address('Push')]],
	[
		'email send',
		order.emailSend,
		['Recipient By and its field', 'Service Provider ID', 'Segment ID', ...mail],
	],
	['email broadcast', order.emailBroadcast, ['Segment ID', 'Service Provider ID', ...mail]],
	['email broadcastAll', order.emailToAll, ['Service Provider ID', 'Segment ID', ...mail]],
	['email broadcastSegment', order.emailToSegment, ['Segment ID', 'Service Provider ID', ...mail]],
	[
		'sms send',
		order.smsSend,
		['Recipient By and its field', 'Service Provider ID', 'Segment ID', ...mail],
	],
	['sms broadcast', order.smsBroadcast, ['Segment ID', 'Service Provider ID', ...mail]],
	['sms broadcastAll', order.smsToAll, ['Segment ID', 'Service Provider ID', ...mail]],
	['sms broadcastSegment', order.smsToSegment, ['Segment ID', 'Service Provider ID', ...mail]],
	['customRequest post', order.customPost, ['Path and Body', 'Host', address('User and Event')]],
];

describe.each(cases)('%s', (_name, parameters, worthChecking) => {
	test.each([400, 404])('%d names what to check, and how to see the request', async (status) => {
		const sandbox = await roomySandbox();
		sandbox.faults.add({ kind: 'status', status });
		const { output } = await execute({
			parameters,
			credential: accountOf(sandbox),
			onError: 'continueRegularOutput',
		});
		await sandbox.close();

		const { description } = output[0]?.json.details as IDataObject;
		const named = /does not specify them: (.*?)\. The service's answer/.exec(
			description as string,
		)?.[1];
		expect(named?.split('; ')).toEqual(worthChecking);
		expect(description).toContain("'Preview Only' under Options");
	});
});
