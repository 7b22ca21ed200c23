import type { IWebhookFunctions } from 'n8n-workflow';

import {
	type LinkResponse,
	readLinkRequest,
	respond,
} from '../../../nodes/CustomerMessaging/n8n/answerRequest';

interface Arrived {
	request?: object;
	query?: object;
	body?: unknown;
	nodeName?: string;
}

function read({ request = {}, query = {}, body, nodeName = 'Ask' }: Arrived) {
	const context = {
		getRequestObject: () => request,
		getQueryData: () => query,
		getBodyData: () => body,
		getNode: () => ({ name: nodeName }),
		evaluateExpression: (expression: string) => expression,
	};
	return readLinkRequest(context as unknown as IWebhookFunctions);
}

test('A request to the page has its method, its signature and the fields of the form', () => {
	const arrived = {
		request: { method: 'POST' },
		query: { signature: 'abc' },
		body: { decision: 'approve' },
	};
	expect(read(arrived)).toEqual({
		method: 'POST',
		signature: 'abc',
		stored: '{{ $node["Ask"].context["asked"] }}',
		body: { decision: 'approve' },
	});
});

test.each([undefined, null, 'decision=approve'])(
	'A body that is no form has no fields: %p',
	(body) => {
		expect(read({ body }).body).toEqual({});
	},
);

test('The name of the node can neither end the expression nor add to it', () => {
	const { stored } = read({ nodeName: '"] }} {{ $env' });
	expect(stored).toBe(
		'{{ $node["\\\\"] \\\\u007d\\\\u007d \\\\u007b\\\\u007b $env"].context["asked"] }}'.replaceAll(
			'\\\\',
			'\\',
		),
	);
});

function answer(response: LinkResponse) {
	const headers = new Map<string, string>();
	const sent = { statusCode: 0, pages: [] as string[] };
	const context = {
		getResponseObject: () => ({
			set statusCode(status: number) {
				sent.statusCode = status;
			},
			setHeader: (name: string, value: string) => headers.set(name, value),
			end: (page: string) => sent.pages.push(page),
		}),
	};
	const returned = respond(context as unknown as IWebhookFunctions, response);
	return { ...sent, returned, headers: Object.fromEntries(headers) };
}

test('A page runs and loads nothing, and is neither stored, framed, found by search engines nor told to other sites', () => {
	expect(answer({ status: 410, page: '<p>Over</p>' })).toEqual({
		statusCode: 410,
		pages: ['<p>Over</p>'],
		returned: { noWebhookResponse: true },
		headers: {
			'Content-Type': 'text/html; charset=utf-8',
			'Content-Security-Policy':
				"default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
			'Cache-Control': 'no-store',
			'Referrer-Policy': 'no-referrer',
			'X-Content-Type-Options': 'nosniff',
			'X-Robots-Tag': 'noindex',
		},
	});
});

test('With an answer, n8n sends the page and goes on with one item', () => {
	const response = { status: 200, page: '<p>Thanks</p>', answer: { data: { approved: true } } };
	expect(answer(response)).toMatchObject({
		pages: [],
		returned: {
			webhookResponse: '<p>Thanks</p>',
			workflowData: [[{ json: { data: { approved: true } }, pairedItem: { item: 0 } }]],
		},
	});
});
