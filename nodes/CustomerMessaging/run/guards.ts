import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import {
	audienceKeys,
	type Fields,
	type FormParameter,
	isEmpty,
	isRecord,
	otherPeople,
	userOnly,
} from '../fields/field';
import { declaredFields, type Operation, type Resource } from '../operations/operation';
import type { History } from './sendOnce';
import type { Settings, TestRuns } from './options';
import { waitEnd } from '../ask/form';
import { parseUrl } from '../fields/link';
import type { N8n } from '../n8n/context';
import { isProblem, type Problem } from '../shared/result';
import { isLoopback, testRecipientFields } from './account';

/** Warns before the first click on Execute step that really reaches people. */
const sendNotice: FormParameter = {
	displayName:
		'Every click on <b>Execute step</b> now sends to the whole audience. The same broadcast goes out once a day.',
	name: 'sendNotice',
	...userOnly,
	type: 'notice',
	default: '',
	displayOptions: { show: { testRuns: ['send'] } },
};

const guard = { ...otherPeople, noDataExpression: true } as const;

/** Where an expression chooses the recipient, rows to single persons and to campaigns may be mixed. */
const campaignsOnly = 'previewCampaigns';

/** Sorted by name, as n8n wants. */
const testRunsOptions = [
	{ name: 'Send', value: 'send', description: 'Send to real people' },
	{
		name: 'Send a Test to Me',
		value: 'testRecipient',
		description:
			"Send the first item's message to the credential's test recipient, and only show the others",
	},
	{
		name: 'Show Campaigns Only',
		value: campaignsOnly,
		description: 'Only show messages to a campaign, and send those to single persons',
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
	description:
		'What happens when you press a button in the editor. A run that is started by its trigger sends, unless Preview Only is on.',
	options: testRunsOptions.filter(({ value }) => value !== campaignsOnly),
};

const maxBroadcasts: FormParameter = {
	displayName: 'Max Broadcasts',
	name: 'maxBroadcasts',
	...guard,
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 1,
	description:
		'How many broadcasts one execution may send to each audience and platform. If there are more, nothing is sent.',
};

/** The parameters that guard what reaches many people. */
export const guardForm: FormParameter[] = [testRuns, maxBroadcasts];

/** The guards of an operation, for its form. Those of broadcasts are stricter. */
export function makeGuardForm({ isBroadcast, isMessage, fields }: Operation): FormParameter[] {
	if (!isMessage) return [];
	if (isBroadcast) return [testRuns, sendNotice, maxBroadcasts];
	const toPerson = { ...testRuns, default: 'send' };
	const campaigns = audienceKeys(fields.recipients);
	if (campaigns.length === 0) return [toPerson];
	const isExpression = { _cnd: { regex: '^=' } };
	const isAnythingElse = { _cnd: { regex: `^(?!(${campaigns.join('|')})$)` } };
	return [
		{ ...toPerson, displayOptions: { hide: { recipientBy: [...campaigns, isExpression] } } },
		{ ...testRuns, displayOptions: { hide: { recipientBy: [isAnythingElse] } } },
		{
			...testRuns,
			default: campaignsOnly,
			options: testRunsOptions,
			displayOptions: { show: { recipientBy: [isExpression] } },
		},
		{
			...maxBroadcasts,
			description:
				'How many messages one execution may send to each campaign. If there are more, nothing is sent.',
			displayOptions: { show: { recipientBy: campaigns } },
		},
	];
}

/** What this run does: as set if it was started by hand, and otherwise it sends. */
export function readTestRuns(
	{ isBroadcast, isMessage }: Operation,
	{ testRuns: chosen }: Settings,
	{ startedByHand }: History,
): TestRuns {
	if (!isMessage || startedByHand !== true) return 'send';
	return chosen ?? (isBroadcast ? 'preview' : 'previewCampaigns');
}

/** Whether an operation may send a broadcast, or a message to a campaign. */
export function mayReachMany(
	{ isBroadcast, fields }: Operation,
	raw: (name: string) => unknown,
): boolean {
	const chosen = String(raw('recipientBy'));
	const campaigns = audienceKeys(fields.recipients);
	return isBroadcast === true || campaigns.some((key) => key === chosen || chosen.startsWith('='));
}

/** Says why a run cannot ask and wait; empty if it can. */
export function refuseAsk(
	itemCount: number,
	origin: string,
	{ limitWaitTime }: Settings,
	n8n: N8n,
): Problem[] {
	const refuse = (message: string, field = 'operation') => ({ field, message });
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
				`There are ${itemCount} items, but an execution can wait for the answer to one question only. To ask one after another, place Loop Over Items with a batch size of 1 before this node. To ask all at once, call a sub-workflow for each item with Execute Sub-workflow, and turn off its option 'Wait For Sub-Workflow Completion'. A caller that waits gets only the first answer`,
			),
		link &&
			isLoopback(link) &&
			!(service && isLoopback(service)) &&
			refuse(
				`The link in the message would lead to ${link.origin}, which only the machine of n8n can open. Set n8n's environment variable WEBHOOK_URL to the address under which the recipient reaches n8n, such as https://n8n.example.com/, and restart n8n`,
				'answerUrl',
			),
		waitEnd(limitWaitTime, n8n),
	].filter(isProblem);
}

/** Refuses parameters that are left to the model of an AI agent although only the user may set them. */
export function leftToModel(
	parameters: readonly FormParameter[],
	raw: (name: string) => unknown,
): Problem[] {
	// Each resource has its own parameter `operation`.
	const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
	return [...byName.values()].flatMap((parameter) => {
		const value = raw(parameter.name);
		// Each option of a collection declares for itself.
		const isCollection = parameter.type === 'collection' && isRecord(value);
		const declared = isCollection ? (parameter.options as FormParameter[]) : [parameter];
		const entries = isCollection ? Object.entries(value) : [[parameter.name, value] as const];
		return entries.flatMap(([name, entry]): Problem[] => {
			const known: Partial<FormParameter> = declared.find((one) => one.name === name) ?? {};
			const { displayName = name, reaches, modelMayFill } = known;
			if (modelMayFill || !isLeftToModel(entry)) return [];
			const why =
				reaches === 'nobody' ? 'only a person may set it' : 'it decides whom a message reaches';
			const message = `'${displayName}' is left to the model, but ${why}. Set it to a fixed value`;
			return [{ field: name, message }];
		});
	});
}

/** Whether an expression uses `$fromAI()` in any spelling. Escaped characters could hide it too. */
function isLeftToModel(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=') && /\$fromai|\\[ux]/i.test(value);
	return typeof value === 'object' && value !== null && Object.values(value).some(isLeftToModel);
}

/** Who receives the test messages of a run, and the operation that sends to a single person. */
export interface TestRecipient {
	operation: Operation;
	/** The API's key for the recipient. */
	key: string;
	value: string;
	/** The fields of all operations of this kind of message. */
	fields: Fields;
}

/** Reads the test recipient for a kind of message. The credential needs it only if a test is sent. */
export function readTestRecipient(
	{ value: resource, operations }: Resource,
	credential: ICredentialDataDecryptedObject,
): { testRecipient: TestRecipient } | { problems: Problem[] } {
	const refuse = (message: string) => ({ problems: [{ field: 'testRuns', message }] });
	const field = Object.entries(testRecipientFields).find(([, one]) => one.resource === resource);
	const operation = operations.find(({ value }) => value === 'send');
	if (!field || !operation)
		return refuse(
			'Test messages exist only for push, email and SMS. Set When Run by Hand to Show Only',
		);
	const [name, { key, form }] = field;
	const { displayName: label } = form;
	const given = credential.testRecipient === true ? credential[name] : undefined;
	if (isEmpty(given))
		return refuse(
			`When Run by Hand is set to Send a Test to Me, but the credential does not say who that is. Open the credential, switch on Test Recipient and fill in ${label}`,
		);
	const read = operation.fields.recipients?.[key]?.schema.safeParse(given);
	if (!read?.success) {
		const reasons = read?.error.issues.map(({ message }) => message).join('; ');
		return refuse(`${label} in the credential cannot be used: ${reasons}`);
	}
	const fields = Object.assign({}, ...operations.map(declaredFields)) as Fields;
	return { testRecipient: { operation, key, value: String(read.data), fields } };
}
