import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../../sandbox';
import { freezeClock } from '../support/clock';
import { useNode } from '../support/node';
import * as order from '../support/orders';
import { toldBy } from '../support/sends';

freezeClock('2027-03-04T15:06:07.000Z');
const node = useNode({ onError: 'continueErrorOutput' });
const fault = (one: Fault) => () => void node.sandbox.faults.add(one);

/** Likely differences of a live account: what the user sees, and what is sent once the setting fits. */
const differences: Array<{
	name: string;
	differ: () => void;
	parameters: INodeParameters;
	sees: object;
	setting?: () => object;
	then?: string;
}> = [
	{
		name: 'an answer 200 that says it failed',
		differ: fault({ kind: 'saysFailed', accepted: true }),
		parameters: order.pushSend,
		sees: { outcome: 'unknown', statusCode: 200, response: { success: false } },
		setting: () => ({ customAnswers: true, answerField: 'success', acceptedValues: 'true' }),
		then: 'rejected',
	},
	{
		name: 'a status of its own that means accepted',
		differ: fault({ kind: 'saysFailed', accepted: true, body: '{"result":"error","id":5}' }),
		parameters: order.smsSend,
		sees: { outcome: 'unknown', statusCode: 200 },
		setting: () => ({ customAnswers: true }),
	},
	{
		name: '422 in place of 400',
		differ: fault({ kind: 'status', status: 422, match: { bodyText: '1506' } }),
		parameters: order.smsSend,
		sees: { outcome: 'rejected', statusCode: 422 },
		setting: () => ({ customSchedule: true, campaignNow: 'nextMinute' }),
	},
	{
		name: 'a path before /api/v1',
		differ: () => node.sandbox.configure({ pathPrefix: '/eu1' }),
		parameters: order.pushSend,
		sees: { outcome: 'rejected', statusCode: 404 },
		setting: () => ({ pushUrl: `${node.sandbox.urls.pushUrl}/eu1` }),
	},
	{
		name: 'a slash at the end of the path of events',
		differ: fault({ kind: 'redirect', match: { path: '/api/v1/event/create' } }),
		parameters: order.trackEvent,
		sees: { outcome: 'rejected', statusCode: 308 },
		setting: () => ({ customPaths: true, eventPath: '/api/v1/event/track/' }),
	},
	{
		name: 'a key without the right to send',
		differ: fault({ kind: 'status', status: 403 }),
		parameters: order.pushSend,
		sees: { outcome: 'rejected', statusCode: 403 },
	},
	{
		name: 'times that are read in another zone',
		differ: fault({ kind: 'status', status: 400, match: { bodyText: '"schedule_time":1506' } }),
		parameters: order.emailSend,
		sees: { outcome: 'rejected', schedule: { zone: 'UTC', utc: '2027-03-04T15:06:07.000Z' } },
		setting: () => ({ scheduleZone: 'Europe/Berlin' }),
	},
];

test.each(differences)('The first day with $name', async (one) => {
	one.differ();
	const { parameters, sees, setting, then = 'accepted' } = one;
	const first = await node.start({ parameters });
	expect(first.failed[0]?.json.details).toMatchObject(sees);
	if (!setting) return;
	const second = await node.start({ parameters, account: setting() });
	expect(toldBy(second)[0]?.outcome).toBe(then);
});
