import assert from 'node:assert/strict';
import { DateTime } from 'luxon';
import { assertSucceeded, create, output, runByHand, runByWebhook, type Bench } from '../bench';
import { example } from '../examples';

const ZONE = 'Europe/Berlin';

export async function smsReminder(bench: Bench): Promise<void> {
	const workflow = await create(bench, example(bench, 'sms-reminder-day-before-appointment.json'));
	const now = DateTime.now().setZone(ZONE);
	const day = now.plus({ days: 10 });
	const local = (time: DateTime) => time.toFormat("yyyy-MM-dd'T'HH:mm");
	const inTime = { name: 'Asha', mobile: '+447700900101', startsAt: `${day.toISODate()}T15:30` };
	const tooSoon = {
		name: 'Ben',
		mobile: '+491713920005',
		startsAt: local(now.plus({ hours: 2 })),
	};
	const wrongNumber = { name: 'Carla', mobile: 'ask her', startsAt: `${day.toISODate()}T09:00` };
	const unreadable = { name: 'Dmitri', mobile: '+4915100000006', startsAt: 'next week' };
	const run = await runByWebhook(bench, workflow, 'appointments', {
		appointments: [inTime, tooSoon, wrongNumber, unreadable],
	});
	assertSucceeded(run);

	const remindAt = day.minus({ days: 1 }).set({ hour: 10, minute: 0 }).toUTC();
	assert.deepEqual(
		run.arrivals.map(({ path, outcome, body }) => ({ path, outcome, body })),
		[
			{
				path: '/api/v1/sendMessage',
				outcome: 'accepted',
				body: {
					mobile: '+447700900101',
					sender_name: 'EXCLINIC',
					campaign_name: 'Appointment reminder',
					sender_mobile: '+447700900100',
					message:
						'Dear Asha, we look forward to seeing you tomorrow at 15:30. Call 020 555 010 to move your appointment.',
					serviceproviderID: 7,
					schedule_date: Number(remindAt.toFormat('yyyyMMdd')),
					schedule_time: Number(remindAt.toFormat('HHmm')),
				},
			},
		],
	);
	assert.equal(output(run.data, 'Scheduled').length, 1);
	const listed = output(run.data, 'All without a reminder').map(({ json }) => json);
	const toPhone = listed.map(({ name, mobile, startsAt }) => ({ name, mobile, startsAt }));
	assert.deepEqual(toPhone, [wrongNumber, tooSoon, unreadable]);
	assert.equal(listed[0]?.outcome, 'invalid');
	for (const { whatHappened } of listed) assert.ok(String(whatHappened).length > 10);
	const files = output(run.data, 'People to phone').map(({ binary }) => binary?.data?.fileName);
	assert.deepEqual(files, [`people-to-phone-${now.toISODate()}.csv`]);

	const byHand = await runByHand(bench, workflow, 'Try it by hand');
	assertSucceeded(byHand);
	assert.deepEqual(
		byHand.arrivals.map(({ body }) => (body as { mobile: string }).mobile),
		['+447700900101'],
	);
	assert.deepEqual(
		output(byHand.data, 'All without a reminder').map(({ json }) => json.name),
		['Carla Diaz', 'Ben Okafor'],
	);
}
