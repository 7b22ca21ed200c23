import type { Operation } from '../operations/operation';
import { offersSendOnce } from './sendOnce';

/** What n8n's AI workflow builder is told of the node. Versions of n8n without the builder ignore it. */
export interface BuilderHint {
	searchHint: string;
	relatedNodes: Array<{ nodeType: string; relationHint: string }>;
}

/** What the builder is told of one operation. */
export interface OperationHint {
	propertyHint: string;
}

export const builderHint: BuilderHint = {
	searchHint:
		"Creates users, tracks events and sends push, email and SMS through the customer's messaging account. Give it one item for each recipient, and a single item for a broadcast. Each output item has the field outcome: accepted, preview or skipped. Set On Error to 'Continue (using error output)', so that rows that failed leave by the second output with error and details, and the others are sent. In a workflow that may run again over the same rows, turn on Send Once with an order number or another stable ID as Send Once Key.",
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-base.filter',
			relationHint:
				'Place it after this node and keep items whose outcome is accepted, before anything is marked as sent',
		},
		{
			nodeType: 'n8n-nodes-base.splitOut',
			relationHint: 'Place it before this node to turn a list of recipients into one item each',
		},
		{
			nodeType: 'n8n-nodes-base.limit',
			relationHint: 'Place it before a broadcast, so that it gets a single item',
		},
	],
};

/** Derives from the facts of an operation how it is used safely. */
export function operationHint(operation: Operation): OperationHint {
	const { isBroadcast, isMessage, waits, batchKey, overwrites } = operation;
	const sentences = [
		...(isBroadcast ? [toMany] : []),
		...(waits ? [asks] : []),
		...(isMessage && !isBroadcast && !waits ? [toOne] : []),
		...(batchKey ? [manyRows] : []),
		...(overwrites ? ['Repeating it does no harm, because it overwrites.'] : []),
		...(offersSendOnce(operation) && !isBroadcast ? [once] : []),
	];
	return { propertyHint: sentences.join(' ') };
}

const toMany =
	"Reaches many people. Give it exactly one item, since each item is a broadcast of its own, and leave Max Broadcasts at 1. Leave When Run by Hand at 'Show Only', so that a run started by hand sends nothing; a run started by its trigger sends.";
const toOne =
	"Sends one message for each item, also when you run it by hand. While the workflow is being built, set When Run by Hand to 'Show Only' or 'Send a Test to Me'.";
const asks =
	'Asks one person and pauses the workflow until they answer. Give it exactly one item. The output is data.approved or data.text; if the time limit is over, the input goes on without data.';
const manyRows = 'Give it all rows at once, without a loop: they travel together in few requests.';
const once =
	'If the workflow may run again over the same rows, turn on Send Once and use a stable ID such as an order number as Send Once Key.';
