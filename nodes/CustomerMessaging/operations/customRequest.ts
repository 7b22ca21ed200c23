import { z } from 'zod/v3';

import { refined } from '../fields/convert';
import { optional, collectProblems, userOnly, otherPeople } from '../fields/field';
import { trimmedText } from '../fields/text';
import { json } from '../fields/json';
import { apiNames, apis } from '../shared/apis';
import { clashesWith, extraBodyFields, additionalFields as fieldsToAdd } from './extra';
import { hostNames, type Operation, type Resource } from './operation';

/**
 * Checks a path that the user enters, such as that of a custom request. It must not lead to another host, and
 * not to a broadcast, because When Run by Hand and Max Broadcasts guard only the operations for broadcasts.
 *
 * @returns what is wrong and how to fix it, or undefined for a valid path
 */
export function pathProblem(path: string, label = 'Path'): string | undefined {
	if (!isPlain(path)) return notPlain(label);
	return isBroadcast(path)
		? `${label} leads to a broadcast, which would get past its guards. Use an operation of Push, Email or SMS instead, or n8n's HTTP Request node if this is the path of a report`
		: undefined;
}

/** Checks the path of an operation for a broadcast. A custom request to it must be refused. */
export function broadcastPathProblem(path: string, label: string): string | undefined {
	if (!isPlain(path)) return notPlain(label);
	return isBroadcast(path)
		? undefined
		: `${label} does not look like the path of a broadcast, such as /api/v1/web/broadcast/all`;
}

function notPlain(label: string): string {
	return `${label} must begin with one slash and hold only letters, digits and - . _ ~ / ? & =, without '..', '/.' and '//', such as /api/v1/event/track`;
}

function isPlain(path: string): boolean {
	return /^\/[\w.~/?&=-]{0,2000}$/.test(path) && !/\.\.|\/\.|\/\//.test(path);
}

function isBroadcast(path: string): boolean {
	return path.split(/[/?&=.]/).some((segment) => segment.toLowerCase() === 'broadcast');
}

/** For the reporting and campaign management APIs, whose paths spec §4.1 does not give. */
const post: Operation = {
	value: 'post',
	name: 'Post',
	action: 'Post custom request',
	description: 'Send your own JSON body to a path of the service',
	section: '4.1',
	// Its answers are reports.
	maxAnswerBytes: 10_000_000,
	fields: { required: {}, optional: { extraBodyFields } },
	form: [
		{
			displayName: 'Host',
			name: 'host',
			...otherPeople,
			type: 'options',
			noDataExpression: true,
			default: 'baseUrl',
			description: "Which of the credential's addresses the request goes to",
			options: Object.entries(hostNames).map(([value, name]) => ({ name, value })),
		},
		{
			displayName: 'API',
			name: 'api',
			...userOnly,
			type: 'options',
			noDataExpression: true,
			default: 'campaign',
			description: 'The rate limit that the request counts against',
			options: [...apis].sort().map((value) => ({ name: apiNames[value], value })),
		},
		{
			displayName: 'Path',
			name: 'path',
			...otherPeople,
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. /api/v1/report/campaign',
			description: 'Path at that address, beginning with a slash',
		},
		{
			displayName: 'Body',
			name: 'body',
			...otherPeople,
			type: 'json',
			required: true,
			default: '{}',
			placeholder: 'e.g. { "campaign_id": 42 }',
			description: 'The JSON body of the request',
		},
		fieldsToAdd({ extraBodyFields }),
	],
	check({ index, parameters }) {
		const { additionalFields } = parameters;
		const read = schema.safeParse({ required: parameters, additionalFields });
		if (!read.data) return { problems: collectProblems(read.error.issues) };

		const { path, body } = read.data.required;
		const { extraBodyFields: extra } = read.data.additionalFields;
		if (!extra) return { deliveries: [{ itemIndex: index, path, buildBody: () => body }] };
		if (Array.isArray(body)) {
			const message =
				"Extra Body Fields can be added to an object only, and Body is a list. Make 'Body' an object, or leave 'Extra Body Fields' empty";
			return { problems: [{ field: 'extraBodyFields', message }] };
		}
		const problems = clashesWith(extra, body);
		if (problems.length > 0) return { problems };
		const whole = { ...body, ...extra };
		return { deliveries: [{ itemIndex: index, path, buildBody: () => whole }] };
	},
};

export const customRequest: Resource = {
	value: 'customRequest',
	name: 'Custom Request',
	operations: [post],
};

const schema = z.object({
	required: z.object({
		path: refined(trimmedText('Path'), (path, context) => {
			const message = pathProblem(path);
			if (message) context.addIssue(message);
		}),
		body: json('Body'),
	}),
	additionalFields: optional({ extraBodyFields }, 'Additional Fields'),
});
