import { withDeferredBodies } from '../../../nodes/CustomerMessaging/plan/deferredBody';
import type { Delivery } from '../../../nodes/CustomerMessaging/shared/delivery';

const delivery = (platform: 'android' | 'web', content: string): Required<Delivery> => ({
	itemIndex: 3,
	platform,
	userID: 'ada',
	to: { user_id: 'ada' },
	path: `/send/${platform}`,
	body: { user_id: 'ada', content },
	envelope: { list: 7 },
	schedule: { kind: 'now' },
	audience: 'everyone',
	onceKey: 'key',
	test: { changes: ['Sent to the test recipient'] },
});

const deliveries = () => [delivery('android', 'Hello'), delivery('web', 'Hi')];

test('A body is built each time it is read.', () => {
	let checks = 0;
	const [android, web] = withDeferredBodies(deliveries(), () => {
		checks++;
		return { deliveries: deliveries() };
	});
	expect(checks).toBe(0);
	expect(android?.body).toEqual({ user_id: 'ada', content: 'Hello' });
	expect(web?.body).toEqual({ user_id: 'ada', content: 'Hi' });
	expect(web?.body).toEqual({ user_id: 'ada', content: 'Hi' });
	expect(checks).toBe(3);
});

test('Everything but the body is known without building it.', () => {
	const [android] = withDeferredBodies(deliveries(), () => {
		throw new Error('The row was checked again');
	});
	const { body: _, ...rest } = delivery('android', 'Hello');
	expect({ ...android }).toEqual(rest);
});

test('A row that can no longer be sent is not replaced by an empty body.', () => {
	const [android] = withDeferredBodies(deliveries(), () => ({
		problems: [{ field: 'content', message: 'Content is empty' }],
	}));
	expect(() => android?.body).toThrow('Item 3 has changed since it was checked');
});
