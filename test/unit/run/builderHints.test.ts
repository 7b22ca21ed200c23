import { CustomerMessaging } from '../../../nodes/CustomerMessaging/CustomerMessaging.node';
import { resources } from '../../../nodes/CustomerMessaging/operations';
import { builderHint, operationHint } from '../../../nodes/CustomerMessaging/run/builderHints';

const operations = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({ resource: resource.value, operation })),
);
const hints = (of: string) =>
	operations
		.filter(({ resource, operation }) => `${resource} ${operation.value}` === of)
		.map(({ operation }) => operationHint(operation).propertyHint)
		.join();

test("n8n's AI workflow builder is told what to place before and after the node", () => {
	expect(new CustomerMessaging().description.builderHint).toBe(builderHint);
	expect(builderHint.searchHint).toMatch(/outcome.*error output.*Send Once with an order number/);
	expect(builderHint.relatedNodes.map(({ nodeType }) => nodeType)).toEqual([
		'n8n-nodes-base.filter',
		'n8n-nodes-base.splitOut',
		'n8n-nodes-base.limit',
	]);
});

test.each([
	['push send', /order number/, /exactly one item/],
	['push broadcastAll', /exactly one item.*When Run by Hand/, /order number/],
	['sms sendAndWait', /data\.approved/, /Send Once/],
	['user create', /all rows at once.*overwrites/, /Send Once/],
	['event track', /all rows at once.*Send Once/, /overwrites/],
	['customRequest post', /order number/, /When Run by Hand/],
])('The hint of %s fits the operation', (of, holds, lacks) => {
	expect(hints(of)).toMatch(holds);
	expect(hints(of)).not.toMatch(lacks);
});

test('The builder is told how to send to one person safely', () => {
	expect(hints('push send')).toBe(
		"Sends one message for each item, also when you run it by hand. While the workflow is being built, set When Run by Hand to 'Show Only' or 'Send a Test to Me'. If the workflow may run again over the same rows, turn on Send Once and use a stable ID such as an order number as Send Once Key.",
	);
});

test('Every operation has a hint without the syntax of expressions or connections', () => {
	for (const { operation } of operations) {
		const { propertyHint } = operationHint(operation);
		expect(propertyHint).not.toMatch(/\{\{|\bai_/);
		expect(propertyHint.length).toBeGreaterThan(40);
	}
});
