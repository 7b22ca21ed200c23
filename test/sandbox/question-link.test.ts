import { questionLink } from '../../sandbox/inbox/questionLink';

const page = 'http://localhost:5678/webhook-waiting/12/5f0c-ab';
const signature = 'signature=0123456789abcdef';

test.each([
	['a push', { url: `${page}?${signature}` }, `${page}?${signature}`],
	['an SMS', { message: `Will you come?\n${page}?${signature}` }, `${page}?${signature}`],
	[
		'an email',
		{ content: `<a href="${page}?run=1&amp;${signature}">Answer</a>` },
		`${page}?run=1&${signature}`,
	],
])('The link of a question is found in %s.', (_kind, body, link) => {
	expect(questionLink(body)).toBe(link);
});

test.each([
	'https://shop.example.com/orders/1',
	`https://n8n.example.com/webhook-waiting/12/5f0c?${signature}`,
	`http://localhost.example.com/webhook-waiting/12/5f0c?${signature}`,
	`http://localhost:5678@example.com/webhook-waiting/12/5f0c?${signature}`,
	`javascript:alert(1)//localhost:5678/webhook-waiting/12/5f0c?${signature}`,
	'http://localhost:5678/webhook-waiting/12/5f0c',
	'http://localhost:5678/signout',
])('No other link can be opened from the inbox, such as %s.', (url) => {
	expect(questionLink({ url, message: url, content: `<a href="${url}">` })).toBeUndefined();
});

test('A body without texts asks nothing.', () => {
	for (const body of [undefined, null, [], { url: 5, message: {} }])
		expect(questionLink(body)).toBeUndefined();
});
