import { healthCheckFor } from '../../../nodes/CustomerMessaging/operations/limits';

const eventPath = '/api/v1/event/create';

test.each([
	['baseUrl', 'event', eventPath, eventPath, { nv: [] }, 'event'],
	['baseUrl', 'reporting', '/api/v1/report/x', '/api/v1/user/create', { nv: [] }, 'user'],
	['pushUrl', 'push', '/api/v1/android/broadcast/all', '/api/v1/android/send', {}, 'push'],
	['pushUrl', 'push', '/elsewhere', '/api/v1/web/send', {}, 'push'],
	['mailUrl', 'email', '/api/v1/email/broadcast/all', '/api/v1/sendMessage', {}, undefined],
] as const)('The health check at %s for %s and %s goes to %s, without a recipient', (...row) => {
	const [host, api, failed, path, body, counts] = row;
	const check = healthCheckFor({ host, api }, failed, eventPath);
	expect(check).toEqual({ path, body, ...(counts && { api: counts }) });
});
