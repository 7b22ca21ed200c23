import type { FormParameter } from '../../../nodes/CustomerMessaging/fields/field';
import { resources } from '../../../nodes/CustomerMessaging/operations';
import { catalogue } from './support/catalogue';

const all = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({
		...{ name: `${resource.value} ${operation.value}`, resource, operation },
	})),
);
// A notice is a text in the form, not a parameter.
const listParameters = (form: FormParameter[] = []) =>
	form
		.filter(({ type }) => type !== 'notice')
		.map(({ name, modelMayFill }) => (modelMayFill ? `${name} ai` : name));

it('Has these operations and no other', () => {
	expect(all.map(({ name }) => name).sort()).toEqual(Object.keys(catalogue).sort());
});

it.each(all)('$name has its fields, host, limit and guard', ({ name, resource, operation }) => {
	const { fields = [], additional, target } = catalogue[name] ?? {};
	const { form, isBroadcast = false } = operation;
	expect(new Set(listParameters(form))).toEqual(new Set([...fields, 'additionalFields']));
	const collection = form.find((property) => property.name === 'additionalFields');
	const added = listParameters(collection?.options as FormParameter[]);
	expect(new Set(added)).toEqual(new Set(additional));
	expect(resource.target).toEqual(target);
	expect(isBroadcast).toBe(name.includes('broadcast'));
});
