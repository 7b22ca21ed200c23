import * as n8n from 'n8n-workflow';

import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';

export const { description } = new CustomerMessaging();
const { properties } = description;

const asNode = (parameters: n8n.INodeParameters) => ({ typeVersion: 1, parameters }) as n8n.INode;

/** The parameters with the defaults of what the form then shows. */
export const withDefaults = (parameters: n8n.INodeParameters) => {
	const given = [properties, parameters, true, false, asNode(parameters), description] as const;
	return n8n.NodeHelpers.getNodeParameters(...given) ?? {};
};

/** What n8n's editor shows if these are the values, of the whole form or of one of its lists. */
export const shownIn = (
	parameters: n8n.INodeParameters,
	{ among = properties, name = description.name } = {},
) =>
	among.filter((property) =>
		n8n.NodeHelpers.displayParameterPath(parameters, property, '', asNode(parameters), {
			...description,
			name,
		}),
	);

/** The fields that the editor marks as empty. */
export const markedIn = (parameters: n8n.INodeParameters) =>
	Object.keys(
		n8n.NodeHelpers.getNodeParametersIssues(properties, asNode(parameters), description)
			?.parameters ?? {},
	);

/** Each operation, by the values that choose it. */
export const everyOperation = properties
	.filter(({ name }) => name === 'operation')
	.flatMap(({ displayOptions, options = [] }) => {
		const [resource = ''] = (displayOptions?.show?.resource ?? []) as string[];
		return options.map((one): [resource: string, operation: string] => [
			resource,
			'value' in one ? String(one.value) : '',
		]);
	});
