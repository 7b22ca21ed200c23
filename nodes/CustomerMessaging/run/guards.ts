import { audienceKeys, type FormParameter } from '../fields/field';
import type { Operation } from '../operations/operation';
import type { History } from './history';
import type { Settings, TestRuns } from './options';

/** Warns before the first click on Execute step that really reaches people. */
const sendNotice: FormParameter = {
	displayName:
		'Every click on <b>Execute step</b> now sends to the whole audience. The same broadcast goes out once a day.',
	name: 'sendNotice',
	reaches: 'nobody',
	modelMayFill: false,
	type: 'notice',
	default: '',
	displayOptions: { show: { testRuns: ['send'] } },
};

const testRunsOptions = [
	{ name: 'Send', value: 'send', description: 'Send to real people' },
	{
		name: 'Send a Test to Me',
		value: 'testRecipient',
		description:
			"Send the first item's message to the credential's test recipient, and only show the others",
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
	reaches: 'others',
	modelMayFill: false,
	type: 'options',
	noDataExpression: true,
	default: 'preview',
	description:
		'What happens when you press a button in the editor. A run that is started by its trigger sends, unless Preview Only is on.',
	options: testRunsOptions,
};

const maxBroadcasts: FormParameter = {
	displayName: 'Max Broadcasts',
	name: 'maxBroadcasts',
	reaches: 'others',
	modelMayFill: false,
	type: 'number',
	noDataExpression: true,
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 1,
	description:
		'How many broadcasts one execution may send to each audience and platform. If there are more, nothing is sent.',
};

/** The parameters that guard what reaches many people. */
export const guardForm: FormParameter[] = [testRuns, maxBroadcasts];

/** Where an expression chooses the recipient, rows to single persons and to campaigns may be mixed. */
const previewCampaigns = {
	name: 'Show Campaigns Only',
	value: 'previewCampaigns',
	description: 'Only show messages to a campaign, and send those to single persons',
};

const isExpression = { _cnd: { regex: '^=' } };

/** The guards of an operation, for its form. Those of broadcasts are stricter. */
export function makeGuardForm({ isBroadcast, isMessage, fields }: Operation): FormParameter[] {
	if (!isMessage) return [];
	if (isBroadcast) return [testRuns, sendNotice, maxBroadcasts];
	const toPerson = { ...testRuns, default: 'send' };
	const campaigns = audienceKeys(fields.recipients);
	if (campaigns.length === 0) return [toPerson];
	const isAnythingElse = { _cnd: { regex: `^(?!(${campaigns.join('|')})$)` } };
	return [
		{ ...toPerson, displayOptions: { hide: { recipientBy: [...campaigns, isExpression] } } },
		{ ...testRuns, displayOptions: { hide: { recipientBy: [isAnythingElse] } } },
		{
			...testRuns,
			default: previewCampaigns.value,
			// n8n wants options sorted by name.
			options: [testRunsOptions.slice(0, 2), previewCampaigns, testRunsOptions.slice(2)].flat(),
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

/**
 * Whether an operation may send a broadcast, or a message to a campaign.
 *
 * @param raw returns a parameter as stored in the workflow
 */
export function mayReachMany(
	{ isBroadcast, fields }: Operation,
	raw: (name: string) => unknown,
): boolean {
	const chosen = String(raw('recipientBy'));
	const campaigns = audienceKeys(fields.recipients);
	return isBroadcast === true || campaigns.some((key) => key === chosen || chosen.startsWith('='));
}
