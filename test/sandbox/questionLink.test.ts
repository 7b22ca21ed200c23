import { questionLink } from '../../sandbox/inbox/questionLink';

const link = 'http://localhost:5678/webhook-waiting/12/5f0c?signature=0123456789abcdef';

describe('The link to the page of a question', () => {
	it.each([
		['the URL of a push', { url: link }, link],
		['the text of an SMS', { message: `Answer here: ${link}. Thanks` }, link],
		['an email after another link', { content: `http://localhost/a?signature=0 ${link}` }, link],
		[
			'an email with its & escaped',
			{ content: '<a href="http://[::1]/n8n/webhook-waiting/7?a=1&amp;signature=0f">' },
			'http://[::1]/n8n/webhook-waiting/7?a=1&signature=0f',
		],
	])('is found in %s', (_, body, found) => expect(questionLink(body)).toBe(found));

	it.each([
		['that leads to another host', link.replace('localhost', 'n8n.example')],
		['without a signature', 'http://localhost:5678/webhook-waiting/12/5f0c'],
		['to another page', link.replace('webhook-waiting', 'webhook')],
		['without an execution', 'http://localhost/webhook-waiting/?signature=0f'],
		['whose page is only in its query', 'http://localhost/a?b=/webhook-waiting/1&signature=0f'],
	])('is not one %s', (_, url) => expect(questionLink({ url })).toBeUndefined());
});
