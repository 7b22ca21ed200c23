import { credentialForm, schemas } from '../../../nodes/CustomerMessaging/run/accountForm';

const whole = {
	...{ baseUrl: 'https://a.example', pushUrl: 'https://b.example', mailUrl: 'https://c.example' },
	...{ brandId: 'brand', apiKey: 'key' },
};
const read = (changes: object) => schemas.apiKey.safeParse({ ...whole, ...changes });

test.each([
	['https://api.example.com', 'https://api.example.com'],
	['https://api.example.com/', 'https://api.example.com'],
	['  https://API.example.com/api/v1/event/track ', 'https://api.example.com'],
	['https://api.example.com:8443/eu1/api/v1', 'https://api.example.com:8443/eu1'],
	['http://127.0.0.1:5010', 'http://127.0.0.1:5010'],
	['http://localhost/', 'http://localhost'],
])('The address %j is %s', (pushUrl, origin) => {
	expect(read({ pushUrl }).data?.pushUrl).toBe(origin);
});

test.each([
	['http://api.example.com', 'cannot be used. Enter an https:// address'],
	['api.example.com', 'cannot be used. Enter an https:// address'],
	['https://name:secret@api.example.com', 'cannot be used. Enter an https:// address'],
	['https://api.example.com/api/v2/broadcast', 'has a path that cannot be used'],
])('The address %j is refused', (pushUrl, words) => {
	const [issue] = read({ pushUrl }).error?.issues ?? [];
	expect(issue?.message).toContain(words);
	expect(issue?.message).not.toContain('secret');
});

test('A key with a blank or a line break is refused without being quoted', () => {
	for (const apiKey of ['se cret', 'se\ncret', '']) {
		const [issue] = read({ apiKey }).error?.issues ?? [];
		expect([issue?.path, issue?.message.includes('cret')]).toEqual([['apiKey'], false]);
	}
});

test('Each credential begins with the addresses and what identifies the account', () => {
	const namesOf = (kind: 'apiKey' | 'partnerToken') => credentialForm(kind).map(({ name }) => name);
	const addresses = ['baseUrl', 'pushUrl', 'mailUrl'];
	expect(namesOf('apiKey')).toEqual(expect.arrayContaining([...addresses, 'brandId', 'apiKey']));
	expect(namesOf('apiKey')).not.toContain('accessToken');
	expect(namesOf('partnerToken')).toEqual(expect.arrayContaining([...addresses, 'accessToken']));
	expect(namesOf('partnerToken')).not.toContain('apiKey');
});
