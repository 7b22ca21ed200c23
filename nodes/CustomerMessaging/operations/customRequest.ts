import { z } from 'zod';

import { optional, problemsOf } from '../fields/field';
import { trimmedText } from '../fields/text';
import { json } from '../fields/json';
import { clashesWith, extraBodyFields } from './extra';
import { additionalFields as fieldsToAdd } from './messageForm';
import { hostNames, type Operation, type Resource } from './operation';

/** For the event, reporting and campaign-management APIs, whose paths spec §4.1 does not show. */
const post: Operation = {
	value: 'post',
	name: 'Post',
	action: 'Post custom request',
	description: 'Send a body of your own to a path of the service',
	section: '4.1',
	fields: { required: {}, optional: { extraBodyFields } },
	form: [
		{
			displayName: 'Host',
			name: 'host',
			modelMayFill: false,
			type: 'options',
			noDataExpression: true,
			default: 'baseUrl',
			description: "Which of the credential's addresses the request goes to",
			options: [
				{ name: hostNames.mailUrl, value: 'mailUrl' },
				{ name: hostNames.pushUrl, value: 'pushUrl' },
				{ name: hostNames.baseUrl, value: 'baseUrl' },
			],
		},
		{
			displayName: 'API',
			name: 'api',
			modelMayFill: false,
			type: 'options',
			noDataExpression: true,
			default: 'campaign',
			description: 'The rate limit that the request counts against',
			options: [
				{ name: 'Campaign', value: 'campaign' },
				{ name: 'Email', value: 'email' },
				{ name: 'Event', value: 'event' },
				{ name: 'Push', value: 'push' },
				{ name: 'Reporting', value: 'reporting' },
				{ name: 'SMS', value: 'sms' },
				{ name: 'User', value: 'user' },
			],
		},
		{
			displayName: 'Path',
			name: 'path',
			modelMayFill: false,
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. /api/v1/event/track',
			description: 'Path on that address, from its first slash on',
		},
		{
			displayName: 'Body',
			name: 'body',
			modelMayFill: false,
			type: 'json',
			required: true,
			default: '{}',
			placeholder: 'e.g. { "event": "signed_up" }',
			description: 'The JSON body of the request',
		},
		fieldsToAdd({ extraBodyFields }),
	],
	check({ index, parameters }) {
		const { additionalFields } = parameters;
		const read = schema.safeParse({ must: parameters, additionalFields });
		if (!read.data) return { problems: problemsOf(read.error.issues) };

		const { path, body } = read.data.must;
		const { extraBodyFields: extra } = read.data.additionalFields;
		if (!extra) return { deliveries: [{ itemIndex: index, path, body }] };
		if (Array.isArray(body)) {
			const message = "Extra Body Fields can be added to an object only, and Body is a list. Make 'Body' an object, or leave 'Extra Body Fields' empty";
			return { problems: [{ field: 'extraBodyFields', message }] };
		}
		const problems = clashesWith(extra, body);
		if (problems.length > 0) return { problems };
		return { deliveries: [{ itemIndex: index, path, body: { ...body, ...extra } }] };
	},
};

export const customRequest: Resource = {
	value: 'customRequest',
	name: 'Custom Request',
	operations: [post],
};

const schema = z.object({
	must: z.object({ path: trimmedText('Path').superRefine(stayOnHost), body: json('Body') }),
	additionalFields: optional({ extraBodyFields }, 'Additional Fields'),
});

/** What a server may read otherwise than this node does: a slash or backslash in disguise. */
const disguised = /%(2f|5c)/i;
const longestPath = 2_000;

/**
 * A path cannot lead to another host, climb, or reach a broadcast past its guards. What counts is
 * what a server reads, so encoded characters are judged by what they stand for.
 */
function stayOnHost(path: string, context: z.RefinementCtx) {
	const [segments = '', query = '', ...more] = path.split('?').map(decoded);
	const isPlain =
		path.length <= longestPath &&
		/^[!-~]+$/.test(path) &&
		!disguised.test(path) &&
		/^(\/[\p{L}\p{N}\p{M}_.~!$&'()*+,=:-]*)+$/u.test(segments) &&
		!/\/\/|\/\.{1,2}(\/|$)/.test(segments) &&
		/^[\p{L}\p{N}\p{M} _.~!$&'()*+,=:;@/[\]-]*$/u.test(query) &&
		more.length === 0;
	if (!isPlain) {
		const message =
			"Path must begin with one slash and stay on the credential's address, such as /api/v1/event/track";
		context.addIssue({ code: 'custom', message });
	} else if (/^\/api\/v1\/(web|android|ios|email|sms)\/broadcast(\/|$)/i.test(segments)) {
		const message = 'Path leads to a broadcast, past its guards. Use the operations of Push, Email or SMS instead';
		context.addIssue({ code: 'custom', message });
	}
}

/** Text that no rule lets pass stands for what encodes nothing. */
function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return '\\';
	}
}
