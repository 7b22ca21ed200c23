import { withDeferredBodies } from '../../../nodes/CustomerMessaging/plan/deferredBody';

const long = 'text '.repeat(10_000);

function deferred(content: string, json = {}) {
	let checks = 0;
	const deliveries = () => [{ itemIndex: 3, path: '/send', body: { content } }];
	const [delivery] = withDeferredBodies(deliveries(), json, () => {
		checks++;
		return { deliveries: deliveries() };
	});
	return { delivery, checks: () => checks };
}

test('A long body is built each time it is read.', () => {
	const { delivery, checks } = deferred(long);
	expect(checks()).toBe(0);
	expect(delivery).toEqual({ itemIndex: 3, path: '/send', body: { content: long } });
	expect(delivery?.body).toEqual({ content: long });
	expect(checks()).toBeGreaterThan(1);
});

test('A short body is kept.', () => {
	const { delivery, checks } = deferred('Hello');
	expect(delivery?.body).toEqual({ content: 'Hello' });
	expect(checks()).toBe(0);
});

test('A long text that is a column of the item is kept.', () => {
	const { delivery, checks } = deferred(long, { html: long });
	expect(delivery?.body).toEqual({ content: long });
	expect(checks()).toBe(0);
});

test('A row that can no longer be sent is not replaced by an empty body.', () => {
	const [delivery] = withDeferredBodies(
		[{ itemIndex: 3, path: '/send', body: { content: long } }],
		{},
		() => ({ problems: [{ field: 'content', message: 'Content is empty' }] }),
	);
	expect(() => delivery?.body).toThrow('Item 3 has changed since it was checked');
});
