import type { IWebhookFunctions } from 'n8n-workflow';

import { readLinkRequest } from '../../../nodes/CustomerMessaging/n8n/answerRequest';

function read(nodeName: string) {
	const context = {
		getRequestObject: () => ({}),
		getQueryData: () => ({}),
		getBodyData: () => undefined,
		getHeaderData: () => ({}),
		getNode: () => ({ name: nodeName }),
		evaluateExpression: (expression: string) => expression,
	};
	return readLinkRequest(context as unknown as IWebhookFunctions);
}

test('The name of the node can neither end the expression nor add to it', () => {
	const { stored } = read('"] }} {{ $env');
	expect(stored).toBe(
		String.raw`{{ $node["\"] \u007d\u007d \u007b\u007b $env"].context["asked"] }}`,
	);
});
