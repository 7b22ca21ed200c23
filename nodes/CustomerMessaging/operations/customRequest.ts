import { z } from 'zod/v3';

import { convertedFrom } from '../fields/convert';
import { byName, optional, collectProblems, userOnly, otherPeople } from '../fields/field';
import { json } from '../fields/json';
import { trimmedText } from '../fields/text';
import { joinNames } from '../fields/values';
import { channels } from './channels';
import { limits } from './limits';
import {
	additionalFields,
	clashesWith,
	extraBodyFields,
	hostNames,
	type Operation,
	type Resource,
} from './operation';

/** Parts of paths that reach people. A test ensures that every path of a broadcast contains the first. */
const partsToPeople = new Set([
	'broadcast',
	...channels
		.flatMap(({ operations }) => operations)
		.filter(({ isBroadcast }) => !isBroadcast)
		.map(({ path = '' }) => path.slice(path.lastIndexOf('/') + 1).toLowerCase()),
]);

/**
 * Returns a schema for a path that the user enters, also with a query. It cannot lead to another place or host than it
 * shows. It must not reach people, because When Run by Hand, Max Broadcasts and Consent guard only the operations for
 * messages.
 */
export function checkedPath(label: string) {
	return convertedFrom(trimmedText(label), (path, context) => {
		const parts = path.toLowerCase().split(/[/?&=.]/);
		if (!/^\/[\w.~/?&=-]{0,2000}$/.test(path) || /\.\.|\/\.|\/\//.test(path))
			context.addIssue(
				`${label} must begin with one slash and hold only letters, digits and - . _ ~ / ? & =, without '..', '/.' and '//', such as /api/v1/event/track`,
			);
		else if (parts.some((part) => partsToPeople.has(part)))
			context.addIssue(
				`${label} leads to a message or a broadcast, which would get past its guards. Use an operation of ${joinNames(channels.map(({ name }) => name))} instead. If this is the path of a report, use n8n's HTTP Request node with a credential of its own`,
			);
		return path;
	});
}

/** For the reporting and campaign management APIs, whose paths spec §4.1 does not give. */
const post: Operation = {
	value: 'post',
	name: 'Post',
	action: 'Post custom request',
	description: 'Send your own JSON body to a path of the service',
	section: '4.1',
	// Reports are long.
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
		{
			displayName: 'Rate Limit',
			name: 'api',
			...userOnly,
			type: 'options',
			noDataExpression: true,
			default: 'campaign',
			description: 'Limit that the request counts against',
			options: limits
				.map(({ api, name }) => ({ name, value: api }))
				.sort((one, other) => byName(one.name, other.name)),
		},
		additionalFields({ extraBodyFields }),
	],
	check({ index, parameters }) {
		const read = schema.safeParse(parameters);
		if (!read.data) return { problems: collectProblems(read.error.issues) };

		const { path, body, additionalFields } = read.data;
		const { extraBodyFields: extra } = additionalFields;
		if (extra && Array.isArray(body)) {
			const rule =
				"Extra Body Fields can be added to an object only, and Body is a list. Make 'Body' an object, or leave 'Extra Body Fields' empty";
			return { problems: [{ field: 'extraBodyFields', rule }] };
		}
		const problems = clashesWith(extra, body);
		if (problems.length > 0) return { problems };
		const whole = extra ? { ...body, ...extra } : body;
		return { deliveries: [{ itemIndex: index, path, buildBody: () => whole }] };
	},
};

export const customRequest: Resource = {
	value: 'customRequest',
	name: 'Custom Request',
	operations: [post],
	defaultOperation: 'post',
};

const schema = z.object({
	path: checkedPath('Path'),
	body: json('Body'),
	additionalFields: optional({ extraBodyFields }, 'Additional Fields'),
});
