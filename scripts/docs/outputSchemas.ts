import { resources } from '../../nodes/CustomerMessaging/operations';
import { channels } from '../../nodes/CustomerMessaging/operations/channels';
import {
	hasPlatforms,
	type Operation,
	type Resource,
} from '../../nodes/CustomerMessaging/operations/operation';
import { offersSendOnce } from '../../nodes/CustomerMessaging/run/sendOnce';
import { platforms } from '../../nodes/CustomerMessaging/shared/delivery';

type Type = 'string' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

/** The part of JSON Schema that n8n's editor reads, with descriptions for whoever reads the files here. */
export interface JsonSchema {
	type: Type | Type[];
	description?: string;
	enum?: readonly string[];
	properties?: Properties;
	items?: JsonSchema;
}
type Properties = Record<string, JsonSchema>;

/**
 * The schema of each operation's output, by its file. n8n looks for these files beside the node, and its
 * editor lists their properties before the first run.
 */
export function outputSchemas(): Map<string, JsonSchema> {
	return new Map(
		resources.flatMap((resource) =>
			resource.operations.map((operation): [string, JsonSchema] => [
				`nodes/CustomerMessaging/__schema__/v1.0.0/${resource.value}/${operation.value}.json`,
				outputSchema(resource, operation),
			]),
		),
	);
}

/**
 * Describes the items of an operation. The editor lists the properties in this order: first what a normal run
 * gives, then what is seldom there, then what is the same for all items. What only previews have is left out.
 */
function outputSchema(resource: Resource, operation: Operation): JsonSchema {
	const { waits } = operation;
	const special: Properties = operation.isMessage ? { test } : {};
	const last = { ...identify(resource, operation), ...schedules(operation) };
	return object({
		...(waits
			? { data: answer, outcome: failed.outcome, ...recipient(resource, operation) }
			: accepted(resource, operation)),
		error: text('What happened, if the item failed'),
		details: object(
			{ ...failed, ...part(operation), ...special, ...last },
			'More about it, if the item failed',
		),
	});
}

/** The items of the first output, if the operation does not wait. Failed ones share their first columns. */
function accepted(resource: Resource, operation: Operation): Properties {
	const once = offersSendOnce(operation);
	const outcomes = ['accepted', 'preview', ...(once ? ['skipped'] : []), ...failures];
	return {
		outcome: enumeration(outcomes, 'What happened to the item'),
		...recipient(resource, operation),
		...part(operation),
		...answered,
		rateLimitRemaining: { type: ['integer', 'null'], description: 'Calls left in that minute' },
		...(once ? skipped(operation) : {}),
		...inDoubt,
		...(operation.isMessage ? { test } : {}),
		...kept,
		...identify(resource, operation),
		...schedules(operation),
	};
}

/** Whom it was for, by the keys of the API. A test of a broadcast goes to a single person. */
function recipient({ value: resource }: Resource, operation: Operation): Properties {
	const { isMessage, isBroadcast, fields } = operation;
	if (!isMessage) return {};
	const { testRecipient } = channels.find(({ value }) => value === resource) ?? {};
	const broadcast = [isToEveryone(operation) ? 'audience' : 'segment_id', testRecipient?.key ?? ''];
	const keys = isBroadcast ? broadcast : Object.keys(fields.recipients ?? {});
	return Object.fromEntries(keys.map((key) => [key, recipientValue(key)]));
}

function isToEveryone({ path }: Operation): boolean {
	return path?.endsWith('/broadcast/all') === true;
}

/** Numbers beyond 2^53 are text. */
function recipientValue(key: string): JsonSchema {
	if (key === 'audience') return enumeration(['everyone']);
	const isNumber = ['segment_id', 'campaign_id'].includes(key);
	return isNumber ? { type: ['integer', 'string'] } : text();
}

/** Which of the requests or users of an item it is. */
function part(operation: Operation): Properties {
	return {
		...(operation.batchKey ? { userID: text() } : {}),
		...(hasPlatforms(operation) ? { platform: enumeration(platforms) } : {}),
	};
}

/** What items of all outcomes have. */
function identify(resource: Resource, { batchKey }: Operation): Properties {
	return {
		...(batchKey ? { batch } : {}),
		resource: enumeration([resource.value]),
		operation: text(),
	};
}

/** When the service is to send it. */
function schedules({ waits, schedule: writer }: Operation): Properties {
	const isTimed = writer !== undefined && (!waits || writer.timeOfNow !== undefined);
	return isTimed ? { schedule } : {};
}

const answer = object(
	{
		approved: boolean('The answer to an approval'),
		text: text('The answer as free text'),
		respondedAt: text('When it was answered, in UTC'),
	},
	'The answer; absent if the time limit was over',
);
const schedule = object(
	{ zone: text(), local: text(), utc: text() },
	'When the service is to send it, in the chosen timezone and in UTC; for now, in that of the credential',
);
const test = boolean('Whether it went to the test recipient');
const batch = object({ index: integer(), size: integer() }, 'The request that carried the item');

const answered: Properties = {
	statusCode: integer('The status of the answer'),
	response: {
		type: ['object', 'array', 'string', 'integer', 'boolean', 'null'],
		description: 'The answer of the service, unchanged',
	},
	attempts: integer('How many times the request was sent'),
};
const kept: Properties = {
	responseTruncated: boolean('Whether only the beginning of the answer was kept'),
	sentBefore: boolean('Whether an earlier attempt of the execution sent it'),
};
const inDoubt: Properties = {
	reason: text('Why it was skipped, or why it is not known how it ended'),
	code: text('The code of a network failure, of a message in doubt'),
	message: text('What is known of a message in doubt'),
};
function skipped({ isMessage, isBroadcast }: Operation): Properties {
	const isToPerson = isMessage === true && !isBroadcast;
	return {
		...(isToPerson ? { firstItem: integer('The item whose message is the same') } : {}),
		earlierOutcome: enumeration(['accepted', 'unknown'], 'How the earlier message ended'),
		differs: boolean('Whether another message of the run with the same key says something else'),
	};
}
const problem = object({ field: text(), label: text(), message: text() });
const failures = ['invalid', 'rejected', 'notSent', 'unknown'];
const failed = {
	outcome: enumeration(failures),
	problems: list(problem, 'What to correct'),
	reason: text('Why it was not sent, or why that is not known'),
	retryAt: text('When it is worth trying again'),
	code: text('The code of a network failure'),
	message: text('The message of a network failure'),
	description: text('What to do'),
	...answered,
	...kept,
} satisfies Properties;

function text(description?: string): JsonSchema {
	return describe({ type: 'string' }, description);
}

function enumeration(values: readonly string[], description?: string): JsonSchema {
	return describe({ type: 'string', enum: values }, description);
}

function integer(description?: string): JsonSchema {
	return describe({ type: 'integer' }, description);
}

function boolean(description?: string): JsonSchema {
	return describe({ type: 'boolean' }, description);
}

function object(properties: Properties, description?: string): JsonSchema {
	return describe({ type: 'object', properties }, description);
}

function list(items: JsonSchema, description?: string): JsonSchema {
	return describe({ type: 'array', items }, description);
}

function describe({ type, ...rest }: JsonSchema, description?: string): JsonSchema {
	return description ? { type, description, ...rest } : { type, ...rest };
}
