import type { FormParameter } from '../../../nodes/CustomerMessaging/fields/field';
import { resources } from '../../../nodes/CustomerMessaging/operations';
import { healthCheckFor } from '../../../nodes/CustomerMessaging/operations/limits';
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

const eventPath = '/api/v1/event/create';

test.each([
	['baseUrl', 'event', eventPath, eventPath, { nv: [] }, 'event'],
	['baseUrl', 'reporting', '/api/v1/report/x', '/api/v1/user/create', { nv: [] }, 'user'],
	['pushUrl', 'push', '/api/v1/ios/send', '/api/v1/ios/send', {}, 'push'],
	['pushUrl', 'push', '/api/v1/android/broadcast/all', '/api/v1/android/send', {}, 'push'],
	['pushUrl', 'push', '/api/v1/web/broadcast/segment', '/api/v1/web/send', {}, 'push'],
	['pushUrl', 'push', '/elsewhere', '/api/v1/web/send', {}, 'push'],
	['mailUrl', 'email', '/api/v1/email/broadcast/all', '/api/v1/sendMessage', {}, undefined],
] as const)('The health check at %s for %s and %s goes to %s, without a recipient', (...row) => {
	const [host, api, failed, path, body, counts] = row;
	const check = healthCheckFor({ host, api }, failed, eventPath);
	expect(check).toEqual({ path, body, ...(counts && { api: counts }) });
});
