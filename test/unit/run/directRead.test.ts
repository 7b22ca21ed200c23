import { directReader, leftToN8n } from '../../../nodes/CustomerMessaging/run/directRead';

const options = { retryUnknown: '={{ $json.retry }}', tags: ['news', '={{ $json.tag }}'], size: 5 };

test('An object and its lists are read with the columns of the row', () => {
	expect(directReader(options)?.({ retry: true, tag: 'a' })).toEqual({
		retryUnknown: true,
		tags: ['news', 'a'],
		size: 5,
	});
});

test('An object is left to n8n as a whole where one of its columns is more than a plain value', () => {
	expect(directReader(options)?.({ retry: {}, tag: 'a' })).toBe(leftToN8n);
	expect(directReader(options)?.({ retry: true, tag: ['a'] })).toBe(leftToN8n);
});

test('An object is left to n8n as a whole where one of its expressions is more than a column', () => {
	expect(directReader({ ...options, size: '={{ $json.size + 1 }}' })).toBeUndefined();
});
