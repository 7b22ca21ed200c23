import assert from 'node:assert/strict';
import { assertSucceeded, hintsOf, output, runByWebhook, type Bench } from '../bench';
import { createForRows, pushNode } from '../rows';

/** A zone without clock changes in which it is now about so many hours after midnight. */
function zoneAt(hour: number): string {
	const behind = new Date().getUTCHours() - hour;
	const offset = behind > 12 ? behind - 24 : behind;
	return `Etc/GMT${offset < 0 ? offset : `+${offset}`}`;
}

interface Sent {
	user_id: string;
	schedule_date?: string;
	schedule_time?: string;
}

/** Where it is night, a push is scheduled for the morning. Each one has an ID, and copies are counted. */
export async function recipientsHours(bench: Bench): Promise<void> {
	const path = 'recipients-hours';
	const rows = [
		{ userID: 'hours-day', zone: zoneAt(12) },
		{ userID: 'hours-night', zone: zoneAt(1) },
		{ userID: 'hours-day', zone: zoneAt(12) },
	];
	const parameters = {
		sendAt: 'withinHours',
		hoursFrom: '09:00',
		hoursTo: '20:00',
		scheduleTimezone: '={{ $json.zone }}',
		options: { concurrency: 1 },
	};
	const stored = await createForRows(bench, path, pushNode(parameters));
	const run = await runByWebhook(bench, stored, path, { rows });
	assertSucceeded(run);

	const sent = run.arrivals.map(({ body }) => body as Sent);
	assert.deepEqual(
		sent.map((body) => [body.user_id, body.schedule_time !== undefined]),
		[
			['hours-day', false],
			['hours-night', true],
			['hours-day', false],
		],
	);
	const items = output(run.data, 'Push').map(({ json }) => json);
	assert.match(String((items[1]?.schedule as { local: string }).local), /09:00/);
	const copies = hintsOf(run).filter(({ message }) => message.includes('the same as an earlier'));
	assert.match(copies[0]?.message ?? '', /^1 message is .*hours-day/);
}
