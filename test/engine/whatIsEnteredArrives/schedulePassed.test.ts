import type { INodeParameters } from 'n8n-workflow';

import { emailCampaign } from '../support/orders';
import { freezeClock, run, useSandbox } from '../support/service';
import { toldBy } from '../support/sends';

// Waits for a time to pass.
jest.setTimeout(60_000);

const sandbox = useSandbox();

const toEmail: INodeParameters = {
	resource: 'email',
	operation: 'send',
	recipientBy: 'user_id',
	user_id: 'u1',
	sendAt: 'at',
	scheduleTimezone: 'UTC',
	senderFrom: 'define',
	...emailCampaign,
};

describe('A time that lies ahead but is written as one that has passed', () => {
	freezeClock('2026-11-23T19:07:10Z');

	test('is refused before anything is sent', async () => {
		const { error } = await run(sandbox(), { ...toEmail, scheduledFor: '2026-11-23T19:07:30' });
		expect(error?.message).toContain(
			'2026-11-23 19:07:30 in UTC is sent to the service as 2026-11-23 19:07:00, which has passed',
		);
		expect(sandbox().record).toEqual([]);
	});

	test('is accepted from the next full minute on', async () => {
		const { error } = await run(sandbox(), { ...toEmail, scheduledFor: '2026-11-23T19:08:30' });
		expect(error).toBeUndefined();
		expect(sandbox().record.map(({ body }) => body)).toMatchObject([
			{ schedule_date: 20261123, schedule_time: 1908 },
		]);
	});

	test('is accepted if the format writes seconds', async () => {
		const push: INodeParameters = {
			resource: 'push',
			operation: 'send',
			platforms: ['web'],
			recipientBy: 'user_id',
			user_id: 'u1',
			title: 'Hello',
			message: 'There',
			url: 'https://shop.example.com',
			sendAt: 'at',
			scheduledFor: '2026-11-23T19:07:30',
			scheduleTimezone: 'UTC',
		};
		const { error } = await run(sandbox(), push);
		expect(error).toBeUndefined();
		expect(sandbox().record.map(({ body }) => body)).toMatchObject([{ schedule_time: '19:07:30' }]);
	});
});

describe('A time that passes while the run waits for the rate limit', () => {
	const push: INodeParameters = {
		resource: 'push',
		operation: 'send',
		platforms: ['web'],
		recipientBy: 'user_id',
		user_id: '={{ $json.id }}',
		title: 'Hello',
		message: 'There',
		url: 'https://shop.example.com',
		sendAt: 'at',
		scheduledFor: '={{ $json.at }}',
		scheduleTimezone: 'UTC',
		options: { concurrency: 1 },
	};

	test('keeps its row from being sent, and the row says so', async () => {
		// The response to the first request is delayed until the time of the second one has passed.
		sandbox().faults.add({ kind: 'delay', delayMs: 2_500, first: 1 });
		const soon = new Date(Math.ceil(Date.now() / 1000) * 1000 + 1_000).toISOString();
		const later = new Date(Date.now() + 3_600_000).toISOString();
		const rows = [
			{ id: 'u0', at: later },
			{ id: 'u1', at: soon },
			{ id: 'u2', at: later },
		];
		const report = await run(sandbox(), push, { rows, onError: 'continueRegularOutput' });
		expect(toldBy(report).map(({ outcome, details }) => [outcome, details.reason])).toEqual([
			['accepted', undefined],
			['notSent', 'schedulePassed'],
			['accepted', undefined],
		]);
		expect(
			sandbox()
				.accepted()
				.map(({ body }) => (body as { user_id: string }).user_id),
		).toEqual(['u0', 'u2']);
	});
});
