import { z } from 'zod/v3';

import { convertedFrom } from '../fields/convert';
import { optional, collectProblems, userOnly, otherPeople } from '../fields/field';
import { trimmedText } from '../fields/text';
import { json } from '../fields/json';
import { apiNames, apis } from '../shared/apis';
import {
	clashesWith,
	extraBodyFields,
	additionalFields as fieldsToAdd,
	findCampaignKey,
	isCampaignKey,
} from './extra';
import { hostNames, type Operation, type Resource } from './operation';

/** Whether a path leads where it seems to, and not to another host. It may have a query. */
export function isPlainPath(path: string): boolean {
	return /^\/[\w.~/?&=-]{0,2000}$/.test(path) && !/\.\.|\/\.|\/\//.test(path);
}

/** What a path and its query consist of. */
export function partsOf(path: string): string[] {
	return path.split(/[/?&=.]/);
}

/** Whether a word is a part of a path, in whatever letters. */
export function hasPart(path: string, word: string): boolean {
	return partsOf(path).some((part) => part.toLowerCase() === word);
}

/**
 * Returns a schema for a path that the user enters. It must not lead to another host. Only a path that is
 * asked for as that of a broadcast may lead to one, because When Run by Hand and Max Broadcasts guard only
 * the operations for broadcasts.
 */
export function checkedPath(label: string, isForBroadcast = false) {
	return convertedFrom(trimmedText(label), (path, context) => {
		const isBroadcast = hasPart(path, 'broadcast');
		if (!isPlainPath(path))
			context.addIssue(
				`${label} must begin with one slash and hold only letters, digits and - . _ ~ / ? & =, without '..', '/.' and '//', such as /api/v1/event/track`,
			);
		else if (isBroadcast && !isForBroadcast)
			context.addIssue(
				`${label} leads to a broadcast, which would get past its guards. Use an operation of Push, Email or SMS instead. If this is the path of a report, use n8n's HTTP Request node with a credential of its own`,
			);
		else if (isForBroadcast && !isBroadcast)
			context.addIssue(
				`${label} does not look like the path of a broadcast, such as /api/v1/web/broadcast/all`,
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
		if (extra && Array.isArray(body)) {
			const message =
				"Extra Body Fields can be added to an object only, and Body is a list. Make 'Body' an object, or leave 'Extra Body Fields' empty";
			return { problems: [{ field: 'extraBodyFields', message }] };
		}
		const problems = clashesWith(extra, body);
		if (problems.length > 0) return { problems };
		const whole = extra ? { ...body, ...extra } : body;
		const isForCampaign = partsOf(path).some(isCampaignKey) || findCampaignKey(whole) !== undefined;
		if (hasPart(path, 'sendmessage') && isForCampaign) {
			const message =
				"This would send a message to a campaign, which would get past its guards. Use Send to User of Email or SMS, with Campaign ID under 'Recipient By'";
			return { problems: [{ field: 'body', message }] };
		}
		return { deliveries: [{ itemIndex: index, path, buildBody: () => whole }] };
	},
};

export const customRequest: Resource = {
	value: 'customRequest',
	name: 'Custom Request',
	operations: [post],
};

const schema = z.object({
	required: z.object({ path: checkedPath('Path'), body: json('Body') }),
	additionalFields: optional({ extraBodyFields }, 'Additional Fields'),
});
