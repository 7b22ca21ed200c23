import type { FormParameter } from '../fields/field';
import { resources } from '../operations';
import type { Resource } from '../operations/operation';

const resourceChoice: FormParameter = {
	displayName: 'Resource',
	name: 'resource',
	reaches: 'others',
	modelMayFill: false,
	type: 'options',
	noDataExpression: true,
	default: 'push',
	options: resources.map(({ name, value }) => ({ name, value })),
};

const authenticationChoice: FormParameter = {
	displayName: 'Authentication',
	name: 'authentication',
	reaches: 'others',
	modelMayFill: false,
	type: 'options',
	default: 'apiKey',
	options: [
		{ name: 'API Key', value: 'apiKey' },
		{ name: 'Partner Token', value: 'partnerToken' },
	],
};

/** The parameters that select the credential and the operation, in the order of the form. */
export const runParameters: readonly FormParameter[] = [
	authenticationChoice,
	resourceChoice,
	...channelOfReviewFirst(resources).map(operationChoice),
];

/**
 * n8n's human review of AI agents asks through the first resource with an operation that can wait. A push
 * to the reviewer needs the fewest settings.
 */
function channelOfReviewFirst(all: readonly Resource[]): Resource[] {
	const isPush = ({ value }: Resource) => value === resourceChoice.default;
	return [...all.filter(isPush), ...all.filter((resource) => !isPush(resource))];
}

function operationChoice({ value, operations }: Resource): FormParameter {
	// n8n wants operations sorted by name. The one that reaches a single person is the last of them.
	const last = operations.at(-1)?.value;
	return {
		displayName: 'Operation',
		name: 'operation',
		reaches: 'others',
		modelMayFill: false,
		type: 'options',
		noDataExpression: true,
		default: last,
		options: operations.map(({ name, value: operation, action, description }) => ({
			name,
			value: operation,
			action,
			description,
		})),
		displayOptions: { show: { resource: [value] } },
	};
}
