import {
	broadcastPathProblem,
	pathProblem,
} from '../../../nodes/CustomerMessaging/operations/customRequest';

const broadcasts = [
	// As the service's reference writes them.
	'/api/v1/web/broadcast/all',
	'/api/v1/android/broadcast/all',
	'/api/v1/ios/broadcast/all',
	'/api/v1/web/broadcast/segment',
	'/api/v1/email/broadcast',
	'/api/v1/email/broadcast/all',
	'/api/v1/email/broadcast/segment',
	'/api/v1/sms/broadcast/',
	'/api/v1/sms/broadcast/all',
	// Behind a prefix, of another version, in capitals or in a query.
	'/prefix/api/v2/web/broadcast/all',
	'/api/v1/EMAIL/Broadcast/all',
	'/api/v1/email/broadcast.json',
	'/api/v1/web/broadcast./all',
	'/api/v1/sms/broadcast?segment_id=1',
	'/index.php?route=web/broadcast/all',
	'/index.php?a=1&q=/api/v1/email/broadcast',
];
const others = [
	'/',
	'/api/v1/event/create',
	'/api/v1/event/track/',
	'/api/v1/event/track?mode=async&tag=a',
	'/api/v1/event/a.b-c_d~e',
	'/api/v1/sendMessage',
	'/reports/broadcasts?x=1',
	'/api/v1/email/broadcast-report',
];
const notPlain = [
	'api/v1/event',
	'//evil.example/api',
	'/api//v1',
	'/api/v1/../admin',
	'/api/v1/..',
	'/api/./v1',
	'/api/v1/event%20track',
	'/api/v1/web/%62roadcast/all',
	'/api/v1/web/broadcast;x=1/all',
	'/api/v1/web\\broadcast\\all',
	'/api/v1/event#x',
	'/@evil.example/',
	'/api/v1/\u00e9v\u00e9nement',
	`/${'a'.repeat(2_001)}`,
	'',
];

it.each(broadcasts)(
	'A path of a broadcast is refused elsewhere, and only it leads to one: %s',
	(path) => {
		expect(pathProblem(path)).toMatch(/^Path leads to a broadcast/);
		expect(broadcastPathProblem(path, 'Web Broadcast Path')).toBeUndefined();
	},
);

it.each(others)('A path that reaches no broadcast is accepted: %s', (path) => {
	expect(pathProblem(path)).toBeUndefined();
	expect(broadcastPathProblem(path, 'Web Broadcast Path')).toMatch(
		/^Web Broadcast Path does not look like the path of a broadcast/,
	);
});

it.each(notPlain)('A path that is not plain is refused: %s', (path) => {
	expect(pathProblem(path, 'Event Path')).toMatch(/^Event Path must begin with one slash/);
	expect(broadcastPathProblem(path, 'Event Path')).toMatch(/^Event Path must begin/);
});
