import assert from 'node:assert/strict';
import { DateTime } from 'luxon';
import { assertSucceeded, create, runByHand, runByWebhook, output, type Bench } from '../bench';
import { example } from '../examples';

interface Answer {
	campaign_id: number;
	outcome: string;
	report?: object;
	whatHappened?: string;
}

export async function campaignReport(bench: Bench): Promise<void> {
	const workflow = await create(bench, example(bench, 'campaign-report-by-custom-request.json'));
	const campaigns = [{ campaign_id: 301 }, { campaign_id: 302 }, { campaign_id: 303 }];
	const run = await runByWebhook(bench, workflow, 'reports', { campaigns }, ({ faults }) => {
		faults.add({ kind: 'status', status: 400, match: { bodyText: '302' } });
	});
	assertSucceeded(run);

	const today = DateTime.fromISO(String(DateTime.utc().toISODate()));
	for (const { path, api, host } of run.arrivals) {
		assert.deepEqual(
			{ path, api, host },
			{ path: '/api/v1/report/campaign', api: 'reporting', host: 'base' },
		);
	}
	const asked = run.arrivals.map(
		({ body }) => body as { campaign_id: number; from: string; to: string },
	);
	assert.deepEqual(asked.map(({ campaign_id }) => campaign_id).sort(), [301, 302, 303]);
	for (const { from, to } of asked) {
		assert.equal(DateTime.fromISO(to).diff(DateTime.fromISO(from), 'days').days, 7);
		assert.ok(
			Math.abs(DateTime.fromISO(to).diff(today, 'days').days) <= 1,
			`${to} is today, in the workflow's zone`,
		);
	}

	const answer = JSON.parse(run.answer) as Answer[];
	assert.deepEqual(
		answer.map(({ campaign_id, outcome }) => [campaign_id, outcome]),
		[
			[301, 'accepted'],
			[303, 'accepted'],
			[302, 'rejected'],
		],
	);
	for (const { outcome, report, whatHappened } of answer)
		assert.ok(outcome === 'accepted' ? report : whatHappened);

	const byHand = await runByHand(bench, workflow, 'Try it by hand');
	assertSucceeded(byHand);
	assert.equal(output(byHand.data, 'Answer').length, 3);
}
