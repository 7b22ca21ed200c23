import { pushToRow } from '../../scripts/n8n/workflows';

/** One operation of the node, with parameters that carry the row's reference to the service. */
export interface Operation {
	name: string;
	parameters: Record<string, unknown>;
	/** A broadcast goes to many, so a run sends few of them. */
	isBroadcast: boolean;
	/** Creating a user again changes nothing, so it is not "sent twice". */
	overwrites: boolean;
}

/** The column with the reference. */
export const REFERENCE = 'userID';
const reference = `{{ $json.${REFERENCE} }}`;

const push = { title: `=Sale ${reference}`, message: 'Today', url: pushToRow.url };
const campaign = { campaign_name: `=Sale ${reference}` };
const email = { ...campaign, subject: 'Sale', content: '<p>Today</p>' };
const sms = { ...campaign, message: 'Sale today' };
const toUser = { recipientBy: 'user_id', user_id: `=${reference}` };
const segment = { segment_id: 42 };
const mapped = { dataMode: 'autoMapInputData', userIdField: REFERENCE };

function operation(
	resource: string,
	value: string,
	parameters: Record<string, unknown>,
	{ overwrites = false } = {},
): Operation {
	return {
		name: `${resource}: ${value}`,
		parameters: { resource, operation: value, ...parameters },
		isBroadcast: value.startsWith('broadcast'),
		overwrites,
	};
}

export const operations: readonly Operation[] = [
	operation('user', 'create', mapped, { overwrites: true }),
	operation('event', 'track', { ...mapped, event_name: 'Bought' }),
	operation('push', 'send', { ...toUser, ...push }),
	operation('push', 'broadcastAll', push),
	operation('push', 'broadcastSegment', { ...push, ...segment }),
	operation('email', 'send', { ...toUser, ...email }),
	operation('email', 'broadcast', { ...email, ...segment }),
	operation('email', 'broadcastAll', email),
	operation('email', 'broadcastSegment', { ...email, ...segment }),
	operation('sms', 'send', { ...toUser, ...sms }),
	operation('sms', 'broadcast', { ...sms, ...segment }),
	operation('sms', 'broadcastAll', { ...sms, ...segment }),
	operation('sms', 'broadcastSegment', { ...sms, ...segment }),
	operation('customRequest', 'post', {
		host: 'baseUrl',
		api: 'campaign',
		path: '/api/v1/campaign/update',
		body: `={{ JSON.stringify({ reference: $json.${REFERENCE} }) }}`,
	}),
];
