import { sized } from '../propertyRuns';
import * as order from './support/orders';
import { run, useSandbox } from './support/service';

// Up to 130,000 rows.
jest.setTimeout(180_000);

const sandbox = useSandbox();

test('Thousands of bad rows with ten bad fields each are summed up in less than 8 kB', async () => {
	const count = sized(1_000, 20_000);
	const rows = Array.from({ length: count }, (_, index) => ({
		id: `C-${index}`,
		title: index % 2 === 0 ? '' : 'x'.repeat(71 + (index % 400)),
		link: `shop ${index}`,
	}));
	const parameters = {
		...order.pushSend,
		platforms: ['android'],
		user_id: '={{ $json.id }}',
		title: '={{ $json.title }}',
		message: '={{ "" }}',
		url: '={{ $json.link }}',
		additionalFields: Object.fromEntries(
			['image_url', 'notification_id', 'button_two_url', 'hero_image_url'].map((field) => [
				field,
				'={{ $json.link }}',
			]),
		),
	};
	const { error } = await run(sandbox(), parameters, { rows });
	const { message, description } = error as unknown as { message: string; description: string };
	expect(Buffer.byteLength(message + description)).toBeLessThan(8_000);
	expect(message).toContain(`Nothing was sent: ${count} of ${count} items need a correction: `);
	expect(description).toContain(`Items 0–${count - 1} (the first is C-0): Message is empty.`);
	const others = count / 2 - 20;
	expect(description).toMatch(
		new RegExp(`^Items 0, 2, 4, .* and ${others} more \\(the first is C-0\\): Title is empty`, 'm'),
	);
});

test('Items that would each make one of very many broadcasts are refused, and the reason is given', async () => {
	const parameters = {
		resource: 'push',
		operation: 'broadcastAll',
		platforms: ['web'],
		title: 'Hello',
		message: 'There',
		url: 'https://shop.example.com',
	};
	// So many arguments are more than a call can take.
	const count = sized(5_000, 130_000);
	const rows = Array.from({ length: count }, () => ({}));
	const { error } = await run(sandbox(), parameters, { rows });
	expect(error?.message).toContain(`This would make ${count} broadcasts to everyone on web`);
	expect(sandbox().record).toEqual([]);
});
