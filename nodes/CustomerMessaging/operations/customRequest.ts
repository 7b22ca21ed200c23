import { z } from 'zod/v3';

import { byName, optional, collectProblems, userOnly, otherPeople } from '../fields/field';
import { json } from '../fields/json';
import {
	clashesWith,
	extraBodyFields,
	additionalFields as fieldsToAdd,
	findCampaignKey,
	isCampaignKey,
} from './extra';
import { channelNames } from './channels';
import { limits } from './limits';
import { hostNames, type Operation, type Resource } from './operation';
import { checkedPath, isPathToCampaign, partsOf, reachesCampaign } from './paths';

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
		fieldsToAdd({ extraBodyFields }),
	],
	check({ index, parameters }) {
		const { additionalFields } = parameters;
		const read = schema.safeParse({ required: parameters, additionalFields });
		if (!read.data) return { problems: collectProblems(read.error.issues) };

		const { path, body } = read.data.required;
		const { extraBodyFields: extra } = read.data.additionalFields;
		if (extra && Array.isArray(body)) {
			const rule =
				"Extra Body Fields can be added to an object only, and Body is a list. Make 'Body' an object, or leave 'Extra Body Fields' empty";
			return { problems: [{ field: 'extraBodyFields', rule }] };
		}
		const problems = clashesWith(extra, body);
		if (problems.length > 0) return { problems };
		const whole = extra ? { ...body, ...extra } : body;
		const isForCampaign = partsOf(path).some(isCampaignKey) || findCampaignKey(whole) !== undefined;
		if (isPathToCampaign(path) && isForCampaign) {
			const rule = `This would send a message to a campaign, which would get past its guards. Use Send to User of ${channelNames(reachesCampaign)}, with Campaign ID under 'Recipient By'`;
			return { problems: [{ field: 'body', rule }] };
		}
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
	required: z.object({ path: checkedPath('Path'), body: json('Body') }),
	additionalFields: optional({ extraBodyFields }, 'Additional Fields'),
});
