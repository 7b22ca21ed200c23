import type { IDisplayOptions, INodeProperties, NodeHint, NodeParameterValue } from 'n8n-workflow';

import { audienceKeys, type FormParameter } from './fields/field';
import { resources } from './operations';
import { channels } from './operations/channels';
import { isToOne, type Operation, type Resource } from './operations/operation';
import { makeGuardForm, sendNotice } from './run/guards';
import { optionsForm } from './run/options';
import { runParameters } from './run/resolveRun';
import { grouped } from './shared/formatting';
import { offersSendOnce, sendOnceForm, toolNotice } from './run/sendOnce';

type Shown = NonNullable<IDisplayOptions['show']>;

const operations = resources.flatMap((resource) => resource.operations);
const broadcasts = valuesOf(operations.filter(({ isBroadcast }) => isBroadcast));
const audiences = operations.flatMap(({ fields }) => audienceKeys(fields.recipients));
const ifBroadcast = `(${isOneOf('operation', broadcasts)} || ${isOneOf('recipientBy', audiences)})`;

function valuesOf(entries: ReadonlyArray<{ value: string }>): string[] {
	return entries.map(({ value }) => value);
}

/** The notice of what a click sends to many, where everybody sees it who opens the node. */
const toMany = [...new Set(broadcasts)];
const armedNotices = [
	{ show: { operation: toMany }, hide: {} },
	{ show: { recipientBy: audiences }, hide: { operation: toMany } },
].map(({ show, hide }): FormParameter => {
	const { displayOptions = {} } = sendNotice;
	return {
		...sendNotice,
		displayOptions: {
			show: { ...displayOptions.show, ...show },
			hide: { ...displayOptions.hide, ...hide },
		},
	};
});

/** An expression for n8n's form. */
function isOneOf(parameter: string, values: readonly string[]): string {
	return `${JSON.stringify([...new Set(values)])}.includes($parameter["${parameter}"])`;
}

/** All parameters of the node's form, in the order in which a user fills them in. */
export function formProperties(): INodeProperties[] {
	return [
		...armedNotices.map(forEditor),
		...runParameters.map(forEditor),
		...resources.flatMap((resource) =>
			resource.operations.flatMap((operation) => operationForm(resource, operation)),
		),
		forEditor(optionsForm),
	];
}

/** Whether a click sends a message for each input item. The number cannot be put into a hint, so there is one for each span. */
const ifMessage = isOneOf('resource', valuesOf(channels));
const toOne = channels.flatMap((channel) => channel.operations).filter(isToOne);
const inParts = channels.filter(({ operations }) => operations.some((one) => one.inParts));
const ifEachItem = `${ifMessage} && ${isOneOf('operation', valuesOf(toOne))} && !${ifBroadcast} && $parameter["testRuns"] === "send" && !$parameter["options"]?.previewOnly`;
const spans = [2, 11, 101, 1_001].map((from, index, all) => ({ from, before: all[index + 1] }));

function hintForSpan({ from, before }: (typeof spans)[number], isInParts: boolean) {
	const number = before ? `${grouped(from)} to ${grouped(before - 1)}` : `${grouped(from)} or more`;
	const cost = isInParts ? ', and what it costs in parts' : '';
	return {
		message: `One click on Execute step sends ${number} messages, one for each input item. To see them first${cost}, set 'When Run by Hand' to Show Only.`,
		displayCondition: `={{ ${ifEachItem} && ${isInParts ? '' : '!'}${isOneOf('resource', valuesOf(inParts))} && $input.all().length >= ${from}${before ? ` && $input.all().length < ${before}` : ''} }}`,
	};
}

/**
 * What the editor shows before a run, because then it can still be changed. An expression cannot read a
 * credential, so the list of segments itself says if the credential has none.
 */
export const hints: NodeHint[] = [
	{
		message:
			"Each input item is a broadcast of its own. If more of them than 'Max Broadcasts' go to the same people, nothing is sent.",
		displayCondition: `={{ ${ifBroadcast} && $input.all().length > $parameter["maxBroadcasts"] }}`,
	},
	{
		message: "'When Run by Hand' is set to Send: when you run it by hand, it sends to real people.",
		displayCondition: `={{ ${ifBroadcast} && $parameter["testRuns"] === "send" && !$parameter["options"]?.previewOnly }}`,
	},
	...spans.flatMap((span) => [hintForSpan(span, false), hintForSpan(span, true)]),
	{
		message: "'Resend Unconfirmed' is on: some people may get a message twice.",
		displayCondition: `={{ ${ifMessage} && $parameter["options"]?.retryUnknown === true }}`,
	},
].map((hint) => ({
	...hint,
	type: 'warning',
	location: 'outputPane',
	whenToDisplay: 'beforeExecution',
}));

/** What n8n's AI workflow builder is told of the node. Versions of n8n without the builder ignore it. */
export const builderHint = {
	searchHint:
		"Creates users, tracks events and sends push, email and SMS through the customer's messaging account. Give it one item for each recipient, all at once, and a single item for a broadcast, which reaches many people; leave Max Broadcasts at 1 and When Run by Hand at 'Show Only' there. Each output item has the field outcome: accepted, preview or skipped. Keep those that are accepted before anything is marked as sent. Set On Error to 'Continue (using error output)', so that items that failed leave by the second output with error and details, and the others are sent. In a workflow that may run again over the same items, turn on Send Once with an order number or another stable ID as Send Once Key. Send and Wait for Response asks one person and pauses the workflow until they answer; its output is data.approved or data.text.",
};

/** Shown on the canvas while an execution waits for an answer. */
export const waitingNodeTooltip = 'The execution continues when the recipient has answered';

/** Removes what only this node uses from a parameter. */
function forEditor(parameter: FormParameter): INodeProperties {
	const property: INodeProperties & Partial<FormParameter> = { ...parameter };
	delete property.reaches;
	delete property.modelMayFill;
	delete property.requiredIfChosen;
	if (property.type !== 'collection') return property;
	const options = (property.options as FormParameter[]).map(forEditor);
	return { ...property, options };
}

/** How the caption of a broadcast begins, by When Run by Hand, Send Once and Preview Only. */
const states = {
	previewOnly: 'preview only: ',
	once: 'once: ',
	preview: 'preview by hand: ',
	send: 'sends by hand: ',
	testRecipient: 'preview by hand: ',
};

/** The subtitle on the canvas, as an n8n expression: `Push: Send to user`, or `sends by hand: Push → Newsletter (ID 7)`. */
export function subtitle(): string {
	const names: Record<string, string> = {};
	/** Of the operations whose segment is named instead. */
	const channels: Record<string, string> = {};
	for (const { name, value, operations } of resources)
		for (const operation of operations) {
			const isForAll = operation.value === 'broadcastAll';
			const what = operation.waits ? 'Ask and wait' : sentence(operation.name);
			const key = `${value} ${operation.value}`;
			names[key] = isForAll ? `${name} → everyone` : `${name}: ${what}`;
			if ('segment_id' in operation.fields.required && !isForAll) channels[key] = `${name} → `;
		}
	// Raw, because an expression that cannot be evaluated on the canvas would hide the subtitle. Only
	// as JSON does a resource locator include the name that was chosen from its list.
	const id = '$rawParameter["segment_id"]';
	const name = '$rawParameter.toJSON()["segment_id"].cachedResultName';
	const key = '$parameter["resource"] + " " + $parameter["operation"]';
	const channel = `(${JSON.stringify(channels)})[${key}]`;
	const isPreview = '$rawParameter.toJSON()["options"]?.previewOnly === true';
	const state =
		'$parameter["sendOnce"] && $parameter["testRuns"] === "send" ? "once" : $parameter["testRuns"]';
	const stateOf = `(${isPreview} ? "previewOnly" : ${ifBroadcast} ? (${state}) : "")`;
	return `={{ ((${JSON.stringify(states)})[${stateOf}] || '') + (${channel} && parseInt(${id}) > 0 ? ${channel} + (${name} || "segment " + ${id}) : (${JSON.stringify(names)})[${key}]) }}`;
}

/** Converts `Broadcast to Segment` to `Broadcast to segment`. */
function sentence(title: string): string {
	return title.replace(/ [A-Z]/g, (initial) => initial.toLowerCase());
}

function operationForm({ value }: Resource, operation: Operation): INodeProperties[] {
	const main = operation.form.filter(({ name }) => name !== 'additionalFields');
	const rest = operation.form.filter(({ name }) => name === 'additionalFields');
	const guards = makeGuardForm(operation);
	const under = { resource: [value], operation: [operation.value] };
	const notice = operation.isBroadcast ? [toolNotice] : [];
	const once = offersSendOnce(operation) ? sendOnceForm(operation.isBroadcast) : [];
	const most = guards.filter(({ name }) => name === 'maxBroadcasts');
	const byHand = guards.filter((guard) => !most.includes(guard));
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
