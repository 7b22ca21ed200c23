import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { audienceKeys, type FormParameter, isEmpty, otherPeople } from '../fields/field';
import { readBoolean } from '../fields/values';
import { channels } from '../operations/channels';
import { isToOne, type Operation } from '../operations/operation';
import type { History } from './sendOnce';
import type { Settings } from './options';
import { parameterReader } from './parameters';
import { waitEnd } from '../ask/form';
import { isLoopback, parseUrl } from '../fields/link';
import type { Credential, N8n } from '../n8n/context';
import { type Problem, isProblem } from '../shared/ending';
import { inSlices } from '../shared/slices';

const guard = { ...otherPeople, noDataExpression: true } as const;

/** Sorted by name, as n8n wants. */
const choices = [
	{ name: 'Send', value: 'send', description: 'Send to real people' },
	{
		name: 'Send a Test to Me',
		value: 'testRecipient',
		description: "The first item goes to the credential's test recipient",
	},
	{
		name: 'Send One, Show a List',
		value: 'previewLists',
		description: 'Send to a single recipient, and only show several',
	},
	{
		name: 'Show Only',
		value: 'preview',
		description: 'Send nothing and show what would be sent',
	},
];

const testRuns: FormParameter = {
	displayName: 'When Run by Hand',
	name: 'testRuns',
	...guard,
	type: 'options',
	default: 'preview',
	description: 'What Execute step does. Triggers always send.',
	options: choices.filter(({ value }) => value !== 'previewLists'),
};

/** People who try out a workflow seldom mean to send to a list. */
const toOnePerson: FormParameter = { ...testRuns, default: 'previewLists', options: choices };

const maxBroadcasts: FormParameter = {
	displayName: 'Max Broadcasts',
	name: 'maxBroadcasts',
	...guard,
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 1,
	description: 'Broadcasts that one execution may send to each audience. More are refused.',
};

/** Parameters that guard messages to many people. */
export const guardForm: FormParameter[] = [testRuns, maxBroadcasts];

/** The guards of an operation, for its form. Broadcasts have stricter ones. */
export function makeGuardForm(operation: Operation): Record<'byHand' | 'most', FormParameter[]> {
	const { isBroadcast, isMessage, fields, waits } = operation;
	if (!isMessage) return { byHand: [], most: [] };
	if (isBroadcast) return { byHand: [testRuns], most: [maxBroadcasts] };
	const toPerson = waits ? { ...testRuns, default: 'send' } : toOnePerson;
	const campaigns = audienceKeys(fields.recipients);
	if (campaigns.length === 0) return { byHand: [toPerson], most: [] };
	const isAnythingElse = { _cnd: { regex: `^(?!(${campaigns.join('|')})$)` } };
	return {
		byHand: [
			{ ...toPerson, displayOptions: { hide: { recipientBy: campaigns } } },
			{ ...testRuns, displayOptions: { hide: { recipientBy: [isAnythingElse] } } },
		],
		most: [
			{
				...maxBroadcasts,
				description: 'Messages that one execution may send to each campaign. More are refused.',
				displayOptions: { show: { recipientBy: campaigns } },
			},
		],
	};
}

/** A run sends its messages, shows them, or tests one of them. */
export type Mode =
	/** `onlyOne`: sends to a single recipient, and only shows several. */
	| { kind: 'send'; onlyOne?: boolean }
	/** Only shows them. `campaign`: it was started by hand, and an expression addresses a row to a campaign. */
	| { kind: 'show'; because: 'byHand' | 'list' | 'campaign' | 'previewOnly' }
	/** Sends the message of the first item to the test recipient, and only shows the others. */
	| {
			kind: 'test';
			/** Under the API's key. `operation` sends to a single person. */
			recipient: { operation: Operation; key: string; value: string };
	  };

/** Returns true if a run only shows its messages because it was started by hand. */
export function isShownByHand(mode: Mode): boolean {
	return mode.kind === 'show' && mode.because !== 'previewOnly';
}

/** The settings and facts that decide the mode of a run. */
interface Asked {
	resource: string;
	operation: Operation;
	settings: Settings;
	history: History;
	credential: Credential;
}

/** The mode of a run: as set if it was started by hand, otherwise sending. */
export async function readMode(
	{ resource, operation, settings, history, credential }: Asked,
	rows: readonly IDataObject[],
	n8n: Parameters<typeof parameterReader>[1] & Pick<N8n, 'isTool' | 'clock' | 'cancelled'>,
): Promise<Mode | { problems: Problem[] }> {
	const { testRuns, previewOnly } = settings;
	const { startedByHand, isManual } = history;
	const isByHand = operation.isMessage === true && startedByHand === true;
	const toMany = rowsToMany(operation, n8n.raw);
	const usual = toMany === 'none' ? 'previewLists' : 'preview';
	const chosen = isByHand ? (testRuns ?? usual) : 'send';
	// n8n may keep the choice of another operation, which a broadcast does not have.
	const isKept = chosen === 'previewLists' && toMany === 'all';
	if (chosen === 'preview' || isKept) return { kind: 'show', because: 'byHand' };
	if (previewOnly) return { kind: 'show', because: 'previewOnly' };
	if (chosen === 'testRecipient') return readTestRecipient(resource, credential.data);
	const onlyOne = chosen === 'previewLists' && isManual && !n8n.isTool && !operation.waits;
	if (!isByHand || toMany !== 'some') return { kind: 'send', onlyOne };
	const campaigns = audienceKeys(operation.fields.recipients);
	const choice = operation.form.filter(({ name }) => name === 'recipientBy');
	const readRow = parameterReader(choice, n8n);
	let hasCampaign = false;
	await inSlices(rows, n8n, (json, index) => {
		hasCampaign ||= campaigns.includes(String(readRow(index, json).parameters.recipientBy));
	});
	return hasCampaign ? { kind: 'show', because: 'campaign' } : { kind: 'send', onlyOne };
}

/** Says which rows of a run are broadcasts or messages to a campaign. If an expression chooses, some may be. */
export function rowsToMany(
	{ isBroadcast, fields }: Operation,
	raw: (name: string) => unknown,
): 'all' | 'some' | 'none' {
	const chosen = String(raw('recipientBy'));
	const campaigns = audienceKeys(fields.recipients);
	if (isBroadcast === true || campaigns.includes(chosen)) return 'all';
	return campaigns.length > 0 && chosen.startsWith('=') ? 'some' : 'none';
}

/** Says why a run cannot ask and wait; empty if it can. */
export function refuseAsk(
	itemCount: number,
	origin: string,
	{ limitWaitTime }: Settings,
	n8n: Pick<N8n, 'isTool' | 'answerUrl' | 'raw' | 'now' | 'workflowZone'>,
): Problem[] {
	const refuse = (message: string, field = 'operation') => ({ field, rule: message });
	// Over MCP, there is no execution that a link could lead to.
	if (n8n.isTool)
		return [
			refuse(
				"An agent cannot use 'Send and Wait for Response' as a tool of its own, because the call would not wait for the answer. In n8n 2, connect this node as a review step between the agent and the tool to be approved. Otherwise place it in the workflow before or after the agent",
			),
		];
	const [link, service] = [parseUrl(n8n.answerUrl()), parseUrl(origin)];
	return [
		// n8n 1 and 2.8 check the signature of the link only if the parameter is literally `sendAndWait`.
		n8n.raw('operation') !== 'sendAndWait' &&
			refuse(
				"'Send and Wait for Response' is chosen by an expression. Some versions of n8n then do not check the link's signature, so a stranger could answer. Choose the operation from its list",
			),
		itemCount > 1 &&
			refuse(
				`There are ${itemCount} items, but an execution can wait for the answer to one question only. To ask one after another, place Loop Over Items with a batch size of 1 before this node. To ask all at once, place Execute Sub-workflow in such a loop, and turn off its option 'Wait For Sub-Workflow Completion'. The sub-workflow asks and goes on with the answer`,
			),
		link &&
			isLoopback(link.hostname) &&
			!isLoopback(service?.hostname) &&
			refuse(
				`The link in the message would lead to ${link.origin}, which only the machine of n8n can open. Set n8n's environment variable WEBHOOK_URL to the address under which the recipient reaches n8n, such as https://n8n.example.com/, and restart n8n`,
				'answerUrl',
			),
		waitEnd(limitWaitTime, n8n),
	].filter(isProblem);
}

/** Reads the test recipient for a kind of message. The credential needs it only if a test is sent. */
function readTestRecipient(
	resource: string,
	credential: ICredentialDataDecryptedObject,
): Extract<Mode, { kind: 'test' }> | { problems: Problem[] } {
	const refuse = (message: string) => ({ problems: [{ field: 'testRuns', rule: message }] });
	const channel = channels.find(({ value }) => value === resource);
	const operation = channel?.operations.find(isToOne);
	if (!channel || !operation) throw new Error(`There are no test messages of ${resource}`);
	const { name, key, displayName: label } = channel.testRecipient;
	const given = readBoolean(credential.testRecipient) ? credential[name] : undefined;
	if (isEmpty(given))
		return refuse(
			`When Run by Hand is set to Send a Test to Me, but the credential does not say who that is. Open the credential, switch on Test Recipient and fill in ${label}`,
		);
	const read = operation.fields.recipients?.[key]?.schema.safeParse(given);
	if (!read?.success) {
		const reasons = read?.error.issues.map(({ message }) => message).join('; ');
		return refuse(`${label} in the credential cannot be used: ${reasons}`);
	}
	return { kind: 'test', recipient: { operation, key, value: String(read.data) } };
}
