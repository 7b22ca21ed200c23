import type { INodeProperties } from 'n8n-workflow';

import type { FormParameter } from '../../../nodes/CustomerMessaging/fields/field';
import { resources } from '../../../nodes/CustomerMessaging/operations';
import { catalogue } from './support/catalogue';

const all = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({
		resource,
		operation,
		name: `${resource.value} ${operation.value}`,
	})),
);
const found = (name: string) => {
	const one = all.find((entry) => entry.name === name);
	if (!one) throw new Error(`There is no ${name}`);
	return one;
};
// A notice is a text in the form, not a parameter.
const isParameter = ({ type }: INodeProperties) => type !== 'notice';
const listParameters = (form: FormParameter[]) =>
	new Set(
		form.filter(isParameter).map(({ name, modelMayFill }) => (modelMayFill ? `${name} ai` : name)),
	);

it('Has these operations and no other', () => {
	expect(all.map(({ name }) => name).sort()).toEqual(Object.keys(catalogue).sort());
});

describe.each(Object.entries(catalogue))('%s', (name, { fields, additional, target }) => {
	it('asks for its fields under the names of the API', () => {
		const { operation } = found(name);
		expect(listParameters(operation.form)).toEqual(new Set([...fields, 'additionalFields']));
	});

	it('lets these fields be added', () => {
		const collection = found(name).operation.form.find(
			(property) => property.name === 'additionalFields',
		);
		expect(listParameters(collection?.options as FormParameter[])).toEqual(new Set(additional));
	});

	it('goes to its host and counts against its limit', () => {
		expect(found(name).resource.target).toEqual(target);
	});

	it('is guarded where it reaches many', () => {
		expect(found(name).operation.isBroadcast === true).toBe(name.includes('broadcast'));
	});
});
