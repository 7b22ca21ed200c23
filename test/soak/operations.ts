import { pushToRow } from '../../scripts/n8n/workflows';

/** The column with the reference. */
export const REFERENCE = 'userID';
const reference = `{{ $json.${REFERENCE} }}`;

const push = { title: `=Sale ${reference}`, message: 'Today', url: pushToRow.url };
const campaign = { campaign_name: `=Sale ${reference}` };
const email = { ...campaign, subject: 'Sale', content: '<p>Today</p>' };
const sms = { ...campaign, message: 'Sale today' };
const toUser = { recipientBy: 'user_id', user_id: `=${reference}` };
const segment = { segment_id: 42 };
const request = {
	...{ host: 'baseUrl', api: 'campaign', path: '/api/v1/campaign/update' },
	body: `={{ JSON.stringify({ reference: $json.${REFERENCE} }) }}`,
};
const mapped = { dataMode: 'autoMapInputData', userIdField: REFERENCE };

const table: Array<[resource: string, operation: string, parameters: Record<string, unknown>]> = [
	['user', 'create', mapped],
	['event', 'track', { ...mapped, event_name: 'Bought' }],
	['push', 'send', { ...toUser, ...push }],
	['push', 'broadcastAll', push],
	['push', 'broadcastSegment', { ...push, ...segment }],
	['email', 'send', { ...toUser, ...email }],
	['email', 'broadcast', { ...email, ...segment }],
	['email', 'broadcastAll', email],
	['email', 'broadcastSegment', { ...email, ...segment }],
	['sms', 'send', { ...toUser, ...sms }],
	['sms', 'broadcast', { ...sms, ...segment }],
	['sms', 'broadcastAll', { ...sms, ...segment }],
	['sms', 'broadcastSegment', { ...sms, ...segment }],
	['customRequest', 'post', request],
];

/** The operations of the node, with parameters that carry the row's reference to the service. */
export const operations = table.map(([resource, operation, parameters]) => ({
	name: `${resource}: ${operation}`,
	parameters: { resource, operation, ...parameters },
	/** A broadcast goes to many, so a run sends few of them. */
	isBroadcast: operation.startsWith('broadcast'),
	/** Creating a user again changes nothing, so it is not "sent twice". */
	overwrites: resource === 'user',
}));
export type Operation = (typeof operations)[number];
