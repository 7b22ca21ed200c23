import type { IDisplayOptions, INodeProperties, NodeParameterValue } from 'n8n-workflow';

import { audienceKeys, type FormParameter } from './fields/field';
import { resources } from './operations';
import type { Operation, Resource } from './operations/operation';
import { makeGuardForm } from './run/guards';
import { optionsForm } from './run/options';
import { runParameters } from './run/resolveRun';
import { offersSendOnce, sendOnceForm, toolNotice } from './run/sendOnce';

type Shown = NonNullable<IDisplayOptions['show']>;

const operations = resources.flatMap((resource) => resource.operations);
const broadcasts = [
	...new Set(operations.filter(({ isBroadcast }) => isBroadcast).map(({ value }) => value)),
];
const audiences = operations.flatMap(({ fields }) => audienceKeys(fields.recipients));

/** Warns before the first click on Execute step that really reaches many people. */
const armedNotices = [
	{ show: { operation: broadcasts } },
	{ show: { recipientBy: audiences }, hide: { operation: broadcasts } },
].map(({ show, hide = {} }): INodeProperties => ({
	displayName: '<b>Execute step</b> sends this to real people. It cannot be recalled.',
	name: 'sendNotice',
	type: 'notice',
	default: '',
	displayOptions: {
		show: { testRuns: ['send'], ...show },
		hide: { '@tool': [true], ...hide },
	},
}));

/** All parameters of the node's form, in the order in which a user fills them in. */
export function formProperties(): INodeProperties[] {
	return [
		...armedNotices,
		...runParameters.map(forEditor),
		...resources.flatMap((resource) =>
			resource.operations.flatMap((operation) => operationForm(resource, operation)),
		),
		forEditor(optionsForm),
	];
}

/** A description for n8n's AI workflow builder. Versions of n8n without the builder ignore it. */
export const builderHint = {
	searchHint:
		"Creates users, tracks events and sends push, email and SMS through the customer's messaging account. Give it one item for each recipient, all at once, and a single item for a broadcast, which reaches many people; leave Max Broadcasts at 1 and When Run by Hand at 'Show Only' there. Each output item has the field outcome: accepted, preview or skipped. Keep those that are accepted before anything is marked as sent. Set On Error to 'Continue (using error output)', so that items that failed leave by the second output with error and details, and the others are sent. In a workflow that may run again over the same items, turn on Send Once with an order number or another stable ID as Send Once Key. Send and Wait for Response asks one person and pauses the workflow until they answer; its output is data.approved or data.text.",
};

/** Removes the keys of a parameter that only this node uses. */
function forEditor(parameter: FormParameter): INodeProperties {
	const property: INodeProperties & Partial<FormParameter> = { ...parameter };
	delete property.reaches;
	delete property.modelMayFill;
	delete property.requiredIfChosen;
	if (property.type !== 'collection') return property;
	const options = (property.options as FormParameter[]).map(forEditor);
	return { ...property, options };
}

function operationForm({ value }: Resource, operation: Operation): INodeProperties[] {
	const main = operation.form.filter(({ name }) => name !== 'additionalFields');
	const rest = operation.form.filter(({ name }) => name === 'additionalFields');
	const under = { resource: [value], operation: [operation.value] };
	const notice = operation.isBroadcast ? [toolNotice] : [];
	const once = offersSendOnce(operation) ? sendOnceForm(operation.isBroadcast) : [];
	const { byHand, most } = makeGuardForm(operation);
	return [...notice, ...main, ...byHand, ...once, ...most, ...rest].flatMap((parameter) => {
		const property = forEditor(parameter);
		const { show = {} } = property.displayOptions ?? {};
		if (parameter.requiredIfChosen) return requiredIfChosen(property, show, under);
		// The operation comes first, because n8n looks no further once it meets an expression.
		const displayOptions = { ...property.displayOptions, show: { ...under, ...show } };
		return [{ ...property, displayOptions }];
	});
}

/**
 * n8n marks required fields that are empty. If an expression makes the choice that shows a field, n8n
 * takes all fields as shown and would require each. The field is therefore listed twice: as required
 * where the form makes the choice, and as optional where an expression does.
 */
function requiredIfChosen(
	property: INodeProperties,
	choices: Shown,
	under: Shown,
): INodeProperties[] {
	const otherChoice: Shown = {};
	const byExpression: Shown = { ...under };
	for (const [name, [value] = []] of Object.entries(choices)) {
		otherChoice[name] = [{ _cnd: { not: value as NodeParameterValue } }];
		byExpression[name] = [{ _cnd: { regex: '^=' } }];
	}
	return [
		{ ...property, required: true, displayOptions: { show: under, hide: otherChoice } },
		{ ...property, displayOptions: { show: byExpression } },
	];
}
