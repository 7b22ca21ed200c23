import assert from 'node:assert/strict';
import { DateTime } from 'luxon';
import { output, runByHand, runByWebhook, succeeded, type Bench } from '../bench';
import { createExample } from '../examples';

interface Answer {
	campaign_id: number;
	outcome: string;
	report?: object;
	whatHappened?: string;
}

export async function campaignReport(bench: Bench): Promise<void> {
	const workflow = await createExample(bench, 'campaign-report-by-custom-request.json');
	const campaigns = [{ campaign_id: 301 }, { campaign_id: 302 }, { campaign_id: 303 }];
	const run = await succeeded(
		runByWebhook(bench, workflow, { campaigns }, ({ faults }) =>
			faults.add({ kind: 'status', status: 400, match: { bodyText: '302' } }),
		),
	);
	const today = DateTime.fromISO(String(DateTime.utc().toISODate()));
	const asked = run.arrivals.map(({ path, api, host, body }) => {
		const { campaign_id, from, to } = body as { campaign_id: number; from: string; to: string };
		assert.deepEqual([path, api, host], ['/api/v1/report/campaign', 'reporting', 'base']);
		const until = DateTime.fromISO(to);
		assert.equal(until.diff(DateTime.fromISO(from), 'days').days, 7);
		const daysAhead = Math.abs(until.diff(today, 'days').days);
		assert.ok(daysAhead <= 1, `${to} is today, in the workflow's zone`);
		return campaign_id;
	});
	assert.deepEqual(asked.sort(), [301, 302, 303]);

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

	const byHand = await succeeded(runByHand(bench, workflow, 'Try it by hand'));
	assert.equal(output(byHand.data, 'Answer').length, 3);
}
