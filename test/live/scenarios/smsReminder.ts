import assert from 'node:assert/strict';
import { DateTime } from 'luxon';
import { output, runByHand, runByWebhook, succeeded, valuesOf, type Bench } from '../bench';
import { createExample } from '../examples';

export async function smsReminder(bench: Bench): Promise<void> {
	const workflow = await createExample(bench, 'sms-reminder-day-before-appointment.json');
	const now = DateTime.now().setZone('Europe/Berlin');
	const day = now.plus({ days: 10 });
	const [inTime, ...toPhone] = [
		['Asha', '+447700900101', `${day.toISODate()}T15:30`],
		['Carla', 'ask her', `${day.toISODate()}T09:00`],
		['Ben', '+491713920005', now.plus({ hours: 2 }).toFormat("yyyy-MM-dd'T'HH:mm")],
		['Dmitri', '+4915100000006', 'next week'],
	];
	const appointments = [inTime, ...toPhone].map((cells) => {
		const [name, mobile, startsAt] = cells ?? [];
		return { name, mobile, startsAt };
	});
	const run = await succeeded(runByWebhook(bench, workflow, { appointments }));

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
	const LIST = 'All without a reminder';
	assert.deepEqual(valuesOf(run, LIST, 'name', 'mobile', 'startsAt'), toPhone);
	assert.equal(output(run.data, LIST)[0]?.json.outcome, 'invalid');
	for (const [why] of valuesOf(run, LIST, 'whatHappened')) assert.ok(String(why).length > 10);
	const files = output(run.data, 'People to phone').map(({ binary }) => binary?.data?.fileName);
	assert.deepEqual(files, [`people-to-phone-${now.toISODate()}.csv`]);

	const byHand = await succeeded(runByHand(bench, workflow, 'Try it by hand'));
	assert.deepEqual(
		byHand.arrivals.map(({ body }) => (body as { mobile: string }).mobile),
		['+447700900101'],
	);
	assert.deepEqual(valuesOf(byHand, LIST, 'name'), [['Carla Diaz'], ['Ben Okafor']]);
}
