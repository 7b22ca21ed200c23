import * as order from '../support/orders';
import { onlyArrival, run, useSandbox } from '../support/service';

const sandbox = useSandbox();

/** Spec §4.2–§4.4 and the keys under which a recipient is named. */
const recipients = ['user_id', 'subscription_id', 'email', 'mobile', 'campaign_id'];

describe.each([
	['push', order.pushSend, { user_id: 'C-7', subscription_id: 'sub-7' }],
	[
		'email',
		order.emailSend,
		{ email: 'mira@example.com', mobile: '+919812345670', user_id: 'C-7', campaign_id: 'camp-7' },
	],
	['sms', order.smsSend, { mobile: '+919812345670', user_id: 'C-7', campaign_id: 'camp-7' }],
])('%s to one person', (_, base, ways) => {
	it.each(Object.entries(ways))(
		'names the recipient by %s and by nothing else',
		async (key, value) => {
			await run(sandbox(), { ...base, ...ways, recipientBy: key });

			const { body, outcome } = onlyArrival(sandbox());
			const named = Object.entries(body as object).filter(([name]) => recipients.includes(name));
			expect(named).toEqual([[key, value]]);
			expect(outcome).toBe('accepted');
		},
	);
});

describe('Several platforms at once', () => {
	const everywhere = { ...order.pushSend, platforms: ['web', 'android', 'ios'] };
	const paths = () =>
		sandbox()
			.record.map(({ path }) => path)
			.sort();

	it('is one request and one item for each platform', async () => {
		const { output } = await run(sandbox(), everywhere);

		expect(paths()).toEqual(['/api/v1/android/send', '/api/v1/ios/send', '/api/v1/web/send']);
		expect(output.map(({ json }) => json.platform)).toEqual(['web', 'android', 'ios']);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 0 },
			{ item: 0 },
		]);
	});

	it('gives each device identifier to its own platform only', async () => {
		await run(sandbox(), { ...everywhere, additionalFields: order.devices });

		const byPlatform = Object.fromEntries<unknown>(
			sandbox().record.map(({ platform, body }) => [platform as string, body]),
		);
		const common = { user_id: 'C-1', ...order.notification };
		expect(byPlatform).toStrictEqual({
			web: common,
			android: { ...common, android_id: '9774d56d682e549c' },
			ios: { ...common, ios_ifv: '6D92078A-8246-4BA4' },
		});
	});

	it('sends once where a platform is named twice', async () => {
		const { output } = await run(sandbox(), {
			...everywhere,
			platforms: ['ios', 'ios', 'web', 'ios'],
		});

		expect(paths()).toEqual(['/api/v1/ios/send', '/api/v1/web/send']);
		expect(output).toHaveLength(2);
	});
});
