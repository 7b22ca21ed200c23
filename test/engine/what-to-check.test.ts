import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { execute } from './support/engine';
import * as order from './support/orders';
import { accountOf, roomySandbox } from './support/sends';

const address = (name: string) => `${name} API URL in the credential`;
const schedule = 'Custom Schedule Format and Schedule Zone in the credential';
const paths = 'Custom Paths in the credential';
const provider = 'Service Provider ID, here or under Default Senders in the credential';
const mail = [schedule, address('Email and SMS')];

/** What is worth checking after a refusal, by its name in the editor, and nothing else. */
const cases: Array<[string, INodeParameters, string[]]> = [
	['user create', order.createUser, [address('User and Event')]],
	['push send', order.pushSend, ['Recipient By and its field', schedule, address('Push')]],
	['push broadcastAll', order.pushToAll, [schedule, paths, address('Push')]],
	['push broadcastSegment', order.pushToSegment, ['Segment', schedule, address('Push')]],
	['email send', order.emailSend, ['Recipient By and its field', 'Segment', provider, ...mail]],
	['email broadcast', order.emailBroadcast, ['Segment', provider, ...mail]],
	['email broadcastAll', order.emailToAll, ['Segment', provider, ...mail]],
	['email broadcastSegment', order.emailToSegment, ['Segment', provider, ...mail]],
	['sms send', order.smsSend, ['Recipient By and its field', 'Segment', provider, ...mail]],
	['sms broadcast', order.smsBroadcast, ['Segment', provider, ...mail]],
	['sms broadcastAll', order.smsToAll, ['Segment', provider, ...mail]],
	['sms broadcastSegment', order.smsToSegment, ['Segment', provider, ...mail]],
	['customRequest post', order.customPost, ['Path and Body', 'Host', address('User and Event')]],
];

describe.each(cases)('%s', (_name, parameters, listWhatToCheck) => {
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
		const named = /does not specify them: (.*?)\. With '(?:Preview|When)/.exec(
			description as string,
		)?.[1];
		expect(named?.split('; ')).toEqual(listWhatToCheck);
		const isMessage = ['push', 'email', 'sms'].includes(String(parameters.resource));
		expect(description).toContain(
			isMessage ? "With 'When Run by Hand' on Show Only" : "With 'Preview Only' under Options",
		);
	});
});
