import { schemas } from '../../../nodes/CustomerMessaging/run/accountForm';

test('The account of a credential has plain addresses, and refuses a key with a blank or line break without quoting it', () => {
	const address = '  https://API.example.com:8443/eu1/api/v1/event/track ';
	const account = { baseUrl: address, pushUrl: address, mailUrl: address, brandId: 'brand' };
	const read = (apiKey: string) => schemas.apiKey.safeParse({ ...account, apiKey });
	expect(read('key').data?.pushUrl).toBe('https://api.example.com:8443/eu1');
	for (const apiKey of ['se cret', 'se\ncret', '']) {
		const [issue] = read(apiKey).error?.issues ?? [];
		expect([issue?.path, issue?.message.includes('cret')]).toEqual([['apiKey'], false]);
	}
});
