import { schemas } from '../../../nodes/CustomerMessaging/run/accountForm';

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

test('A key with a blank or a line break is refused without being quoted', () => {
	for (const apiKey of ['se cret', 'se\ncret', '']) {
		const [issue] = read({ apiKey }).error?.issues ?? [];
		expect([issue?.path, issue?.message.includes('cret')]).toEqual([['apiKey'], false]);
	}
});
