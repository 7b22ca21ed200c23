import type { FormParameter } from '../../../nodes/CustomerMessaging/fields/field';
import { resources } from '../../../nodes/CustomerMessaging/operations';
import { catalogue, targets } from './support/catalogue';

const all = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({
		...{ name: `${resource.value} ${operation.value}`, resource, operation },
	})),
);
// A notice is a text in the form, not a parameter.
const listParameters = (form: FormParameter[] = []) =>
	form
		.filter(({ type }) => type !== 'notice')
		.map(({ name, modelMayFill }) => (modelMayFill ? `${name}*` : name));

it.each(all)('$name has its fields, host, limit and guard', ({ name, resource, operation }) => {
	const { fields = [], additional } = catalogue.get(name) ?? {};
	const { form, isBroadcast = false } = operation;
	expect(new Set(listParameters(form))).toEqual(new Set([...fields, 'additionalFields']));
	const collection = form.find((property) => property.name === 'additionalFields');
	const added = listParameters(collection?.options as FormParameter[]);
	expect(new Set(added)).toEqual(new Set(additional));
	expect(resource.target).toEqual(targets[resource.value]);
	expect(isBroadcast).toBe(name.includes('broadcast'));
});
