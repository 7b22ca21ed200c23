import { unknownChoice } from '../fields/choice';
import { refined } from '../fields/convert';
import { type Form, type FormParameter, isEmpty, isRecord } from '../fields/field';
import { fieldForm } from '../fields/fieldForm';
import { trimmedText } from '../fields/text';
import type { AnswerForm } from '../shared/ask';
import type { Problem } from '../shared/problem';

/** These parameters have the names and values of n8n's own nodes, so that a workflow can change its channel. */

const responseType: FormParameter = {
	displayName: 'Response Type',
	name: 'responseType',
	reaches: 'nobody',
	modelMayFill: false,
	type: 'options',
	default: 'approval',
	description: 'How the recipient answers on the page that the link opens',
	options: [
		{ name: 'Approval', value: 'approval', description: 'With one or two buttons' },
		{ name: 'Free Text', value: 'freeText', description: 'With a text of their own' },
	],
};

const approvalType: FormParameter = {
	displayName: 'Type of Approval',
	name: 'approvalType',
	reaches: 'nobody',
	modelMayFill: false,
	type: 'options',
	default: 'single',
	description: 'Which buttons the page has',
	options: [
		{ name: 'Approve and Disapprove', value: 'double' },
		{ name: 'Approve Only', value: 'single' },
	],
};

const labels = {
	approveLabel: {
		displayName: 'Approve Button Label',
		default: 'Approve',
		description: 'Text on the button for yes',
	},
	disapproveLabel: {
		displayName: 'Disapprove Button Label',
		default: 'Decline',
		description: 'Text on the button for no',
	},
} as const;

const approvalOptions: FormParameter = {
	displayName: 'Approval Options',
	name: 'approvalOptions',
	reaches: 'nobody',
	modelMayFill: false,
	type: 'fixedCollection',
	placeholder: 'Add Option',
	default: {},
	description: 'The buttons of the page',
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [
				approvalType,
				{ ...labels.approveLabel, name: 'approveLabel', type: 'string' },
				{
					...labels.disapproveLabel,
					name: 'disapproveLabel',
					type: 'string',
					displayOptions: { show: { approvalType: ['double'] } },
				},
			],
		},
	],
	displayOptions: { show: { responseType: ['approval'] } },
};

/** How the recipient can answer. */
export const answerFormParameters: readonly FormParameter[] = [responseType, approvalOptions];

/** Longer labels do not fit on a phone. */
const MAX_LABEL_LENGTH = 60;

function shortLabel(displayName: string) {
	return refined(trimmedText(displayName), ({ length }, context) => {
		if (length > MAX_LABEL_LENGTH)
			context.addIssue(
				`${displayName} has ${length} characters, but a button takes at most ${MAX_LABEL_LENGTH}. Shorten it`,
			);
	});
}

function labelOption(displayName: string, form: Pick<Form, 'description' | 'displayOptions'>) {
	const declared = { reaches: 'nobody', modelMayFill: false, ...form } as const;
	return {
		...fieldForm(displayName, 'string', '', declared),
		rule: `Text on one line, up to ${MAX_LABEL_LENGTH} characters`,
		schema: shortLabel(displayName),
	};
}

/** The options of n8n's own nodes for buttons that are not for an approval. */
export const buttonLabels = {
	messageButtonLabel: labelOption('Message Button Label', {
		description: 'Text on the button in the email. Default: Respond.',
		displayOptions: { show: { '/operation': ['sendAndWait'], '/resource': ['email'] } },
	}),
	responseFormButtonLabel: labelOption('Response Form Button Label', {
		description:
			'Text on the button that sends the answer. Default: Send, in the language of the browser.',
		displayOptions: { show: { '/operation': ['sendAndWait'], '/responseType': ['freeText'] } },
	}),
};

/** Reads how the recipient of a row can answer. */
export function readAnswerForm(
	parameters: Readonly<Record<string, unknown>>,
): { answerForm: AnswerForm } | { problems: Problem[] } {
	const kind = isEmpty(parameters.responseType) ? 'approval' : parameters.responseType;
	if (kind === 'freeText') return { answerForm: { kind } };
	if (kind !== 'approval')
		return { problems: [{ field: 'responseType', message: unknownChoice(responseType, kind) }] };

	const chosen = isRecord(parameters.approvalOptions) ? parameters.approvalOptions.values : {};
	const values = isRecord(chosen) ? chosen : {};
	const type = isEmpty(values.approvalType) ? 'single' : values.approvalType;
	if (type !== 'single' && type !== 'double')
		return { problems: [{ field: 'approvalOptions', message: unknownChoice(approvalType, type) }] };

	const approve = readLabel('approveLabel', values);
	const decline = type === 'double' ? readLabel('disapproveLabel', values) : {};
	const problems = [approve, decline].flatMap(({ problem }) =>
		problem === undefined ? [] : [{ field: 'approvalOptions', message: problem }],
	);
	if (problems.length > 0 || approve.label === undefined) return { problems };
	return { answerForm: { kind, approve: approve.label, decline: decline.label } };
}

function readLabel(
	name: keyof typeof labels,
	values: Readonly<Record<string, unknown>>,
): { label?: string; problem?: string } {
	const { displayName, default: usual } = labels[name];
	if (isEmpty(values[name])) return { label: usual };
	const read = shortLabel(displayName).safeParse(values[name]);
	return read.success
		? { label: read.data }
		: { problem: read.error.issues.map(({ message }) => message).join('; ') };
}
