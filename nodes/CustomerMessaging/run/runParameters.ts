import type { FormParameter } from '../fields/field';
import { resources } from '../operations';
import type { Resource } from '../operations/operation';

const resourceChoice: FormParameter = {
	displayName: 'Resource',
	name: 'resource',
	modelMayFill: false,
	type: 'options',
	noDataExpression: true,
	default: 'push',
	options: resources.map(({ name, value }) => ({ name, value })),
};

const authenticationChoice: FormParameter = {
	displayName: 'Authentication',
	name: 'authentication',
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
	...resources.map(operationChoice),
];

function operationChoice({ value, operations }: Resource): FormParameter {
	// n8n wants operations sorted by name. The one that reaches a single person is the last of them.
	const last = operations.at(-1)?.value;
	return {
		displayName: 'Operation',
		name: 'operation',
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
