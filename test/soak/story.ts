import { pushToRow } from '../../scripts/n8n/workflows';

/** The column with the reference. */
const REFERENCE = 'userID';
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
const operations = table.map(([resource, operation, parameters]) => ({
	name: `${resource}: ${operation}`,
	parameters: { resource, operation, ...parameters },
	/** A broadcast goes to many, so a run sends few of them. */
	isBroadcast: operation.startsWith('broadcast'),
	/** Creating a user again changes nothing, so it is not "sent twice". */
	overwrites: resource === 'user',
}));

const MAX_BROADCASTS = 5;

export type Random = () => number;

export const pick = <T>(random: Random, values: readonly T[]): T =>
	values[Math.floor(random() * values.length)] as T;

/** What one workflow does, and what is done to it. */
export type Story = ReturnType<typeof randomStory>;

/** A story of the random numbers that come next. Small ones are as frequent as large ones. */
export function randomStory(number: number, maxRows: number, random: Random) {
	const operation = pick(random, operations);
	const most = operation.isBroadcast ? MAX_BROADCASTS : maxRows;
	const sendOnce = random() < 0.3;
	return {
		number,
		operation,
		rows: Math.round(Math.exp(random() * Math.log(most))),
		platforms: pick(random, [['web'], ['web'], ['android', 'ios'], ['web', 'android', 'ios']]),
		onError: pick(random, ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput']),
		retryOnFail: random() < 0.2,
		sendOnce,
		/** When somebody presses Stop, if the execution has not ended before. */
		stopAfterMs: random() < 0.15 ? 500 + random() * 15_000 : Infinity,
		/** How often the same rows come again in another execution. Only with Send Once. */
		repeats: sendOnce ? Math.floor(random() * 3) : 0,
	};
}

const isPush = ({ operation }: Story) => operation.parameters.resource === 'push';

export function parametersOf(story: Story): Record<string, unknown> {
	const { operation, platforms, sendOnce } = story;
	return {
		...operation.parameters,
		...(isPush(story) && { platforms }),
		...(operation.isBroadcast && { maxBroadcasts: MAX_BROADCASTS }),
		sendOnce,
		options: { requestTimeout: 5 },
	};
}

/** References that are found in any request. */
export const referencesOf = ({ number, rows }: Story): string[] =>
	Array.from({ length: rows }, (_, row) => `k${number}-${row}k`);

/** Every message that the story is to send, as the service's account of it calls it. */
export const messagesOf = (story: Story): string[] =>
	referencesOf(story).flatMap((each) =>
		(isPush(story) ? story.platforms : [null]).map((platform) => nameOf(each, platform)),
	);

export const nameOf = (each: string, platform: string | null | undefined): string =>
	platform ? `${each} ${platform}` : each;

export function describe(story: Story): string {
	const { number, operation, rows, onError, retryOnFail, sendOnce } = story;
	const settings = [onError, retryOnFail && 'Retry On Fail', sendOnce && 'Send Once'];
	return [`${number}. ${operation.name}, ${rows} rows`, ...settings.filter(Boolean)].join(', ');
}
