import { placeInWords } from '../../sandbox/inbox/page/places';
import { credentialName } from '../../sandbox/inbox/page/words';

it.each([
	['nv[0].userID', 'user', 'User 1, User ID'],
	['nv[1].user_attributes.name', 'user', 'User 2, Name'],
	['nv[0].event_name', 'event', 'Event 1, Event name'],
	['nv[2]', 'event', 'Event 3'],
	['nv', 'user', 'List'],
	['image_url', 'push', 'Image URL'],
	['serviceproviderID', 'email', 'Service provider ID'],
	['', 'push', 'The body'],
] as const)('The inbox calls %j in a request of the kind %s "%s"', (path, channel, words) => {
	expect(placeInWords(path, channel)).toBe(words);
});

it('The inbox names a credential as the form of n8n does', () => {
	expect(['brand:sandbox-brand', 'token:1'].map(credentialName)).toEqual([
		'API key of sandbox-brand',
		'Access token 1',
	]);
});
