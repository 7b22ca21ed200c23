import type { FormParameter } from '../fields/field';
import type { Operation } from '../operations/operation';
import type { History } from './history';
import type { Settings } from './options';

/** What a run started by hand does. */
export type TestRuns = 'preview' | 'testRecipient' | 'send';

/** Warns before the first click on Execute step that really reaches people. */
const sendNotice: FormParameter = {
	displayName:
		'Each <b>Execute step</b> now sends to real people: the whole audience of the broadcast.',
	name: 'sendNotice',
	modelMayFill: false,
	type: 'notice',
	default: '',
	displayOptions: { show: { testRuns: ['send'] } },
};

/** The parameters that guard broadcasts. Of these, messages to one person have only Test Runs. */
export const guardForm: FormParameter[] = [
	{
		displayName: 'Test Runs',
		name: 'testRuns',
		modelMayFill: false,
		type: 'options',
		noDataExpression: true,
		default: 'preview',
		description: 'What a run started by hand in the editor does',
		options: [
			{
				name: 'Preview',
				value: 'preview',
				description: 'Send nothing and show what would be sent',
			},
			{ name: 'Send', value: 'send', description: 'Send to real people' },
			{
				name: 'Test Recipient',
				value: 'testRecipient',
				description:
					"Send the first item's message to the credential's test recipient, and preview the others",
			},
		],
	},
	{
		displayName: 'Max Broadcasts',
		name: 'maxBroadcasts',
		modelMayFill: false,
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 1,
		description:
			'How many broadcasts one run may send to each audience and platform. If there are more, nothing is sent.',
	},
];

/** The guards of an operation, for its form. Those of broadcasts are stricter. */
export function guardFormOf({ isBroadcast, isMessage }: Operation): FormParameter[] {
	if (!isMessage) return [];
	return isBroadcast
		? guardForm.flatMap((property) =>
				property.name === 'testRuns' ? [property, sendNotice] : [property],
			)
		: guardForm
				.filter(({ name }) => name === 'testRuns')
				.map((property) => ({ ...property, default: 'send' }));
}

/** What this run does: as set if it was started by hand, and otherwise it sends. */
export function testRunsOf(
	{ isBroadcast, isMessage }: Operation,
	{ testRuns }: Settings,
	{ startedByHand }: History,
): TestRuns {
	if (!isMessage || startedByHand !== true) return 'send';
	return testRuns ?? (isBroadcast ? 'preview' : 'send');
}
