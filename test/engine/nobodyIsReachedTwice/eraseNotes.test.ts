import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';

import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { textOf } from '../../unit/support/pages';
import { useNode } from '../support/node';
import * as order from '../support/orders';

const node = useNode();

/** The script with other values in its first lines. */
function withValues(values: Record<string, unknown>): string {
	return Object.entries(values).reduce((text, [name, value]) => {
		const line = new RegExp(`^const ${name} = .*;`, 'm');
		expect(text).toMatch(line);
		return text.replace(line, `const ${name} = ${JSON.stringify(value)};`);
	}, textOf('docs/erase-notes.mjs'));
}

const rows = [
	{ to: 'anna', order: 'order-1', mobile: '+49 1511 2345678' },
	{ to: 'ben', order: 'order-2', mobile: '+49 171 3920001' },
];

const to = '={{ $json.to }}';
const mail = { path: '/api/v1/sendMessage', platform: null };
const toEmail = { ...mail, resource: 'email', recipient: { email: 'anna@example.com' } };
const toMobile = { ...mail, resource: 'sms', recipient: { mobile: '+4915112345678' } };
const ofEvent = {
	...{ path: '/api/v1/event/create', platform: null, resource: 'event', operation: 'track' },
	event: { userID: 'anna', name: 'Order Placed' },
};

test.each<[string, string, INodeParameters, Record<string, unknown>]>([
	['pushes', 'pushUrl', { ...order.pushSend, user_id: to }, { recipient: { user_id: 'anna' } }],
	['emails', 'mailUrl', { ...order.emailSend, email: `${to}@Example.com` }, toEmail],
	['SMS', 'mailUrl', { ...order.smsSend, mobile: '={{ $json.mobile }}' }, toMobile],
	['events', 'baseUrl', { ...order.trackEvent, userID: to }, ofEvent],
])(
	'The script for administrators finds what was stored about one person, and nothing else: %s',
	async (_, host, parameters, values) => {
		const { brandId, ...rest }: ICredentialDataDecryptedObject = node.credential;
		const from = Date.now();
		for (const more of [{}, { sendOnce: true, sendOnceKey: '={{ $json.order }}' }])
			await node.start({ parameters: { ...parameters, ...more }, rows });
		const { keys } = node.store;
		const data = [...keys].map((name) => hash('md5', name, 'base64'));
		const text = withValues({
			...{ address: rest[host], account: { brandId }, keys: ['order-1'] },
			...{ ...values, from, to: Date.now() + 1 },
		});
		const stored = JSON.stringify({ mode: 'entries', data });
		const command = ['--input-type=module', '--eval', text];
		const sql = execFileSync('node', command, { input: stored }).toString();

		// One note of the execution without Send Once, and two of the other one.
		const gone = data.filter((entry) => sql.includes(`',"${entry}"'`));
		const notes = [...keys].filter((name) => /^here|=$/.test(name));
		expect(notes).toHaveLength(6);
		expect(gone).toEqual([0, 2, 3].map((index) => hash('md5', notes[index] ?? '', 'base64')));
	},
);
