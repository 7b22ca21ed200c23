import type { IDataObject } from 'n8n-workflow';

import { executeInLoop, type LoopOrder } from './support/loop';
import { useNewStore } from './support/memoryStore';
import * as order from './support/orders';
import { keyCredential, run, useSandbox } from './support/service';

const sandbox = useSandbox();
beforeEach(() => void useNewStore());

const paths = () => sandbox().record.map(({ path }) => path);

describe('Max Broadcasts counts through an execution', () => {
	/** What became of each round of a loop: its platform and audience, or that there were too many. */
	const rounds = async (rows: IDataObject[], maxBroadcasts = 1, rest: Partial<LoopOrder> = {}) => {
		const { runs } = await executeInLoop({
			parameters: {
				...order.pushToSegment,
				platforms: '={{ [$json.on] }}',
				segment_id: '={{ $json.to }}',
				maxBroadcasts,
			},
			rows,
			rowsPerRun: 1,
			credential: keyCredential(sandbox()),
			onError: 'continueRegularOutput',
			...rest,
		});
		return runs
			.flatMap(({ data }) => data?.main?.[0] ?? [])
			.map(({ json }) => (json.details as IDataObject | undefined)?.outcome ?? json.outcome);
	};
	const web = { on: 'web', to: 42 };

	it('each round of a loop, for each audience and platform by itself', async () => {
		const rows = [web, { on: 'ios', to: 42 }, { on: 'web', to: 43 }, web, web];
		const all = ['accepted', 'accepted', 'accepted'];
		expect(await rounds(rows)).toEqual([...all, 'invalid', 'invalid']);
		expect(await rounds(rows, 2)).toEqual([...all, 'accepted', 'invalid']);
	});

	it('but not what surely reached nobody, nor the tries of Retry On Fail', async () => {
		sandbox().faults.add({ kind: 'status', status: 400, first: 1 });
		expect(await rounds([web, web, web])).toEqual(['rejected', 'accepted', 'invalid']);
		sandbox().faults.add({ kind: 'status', status: 400, first: 1 });
		const tries = { retryOnFail: true, onError: undefined };
		expect(await rounds([web], 1, tries)).toEqual(['accepted']);
	});

	it('also what may have arrived', async () => {
		sandbox().faults.add({ kind: 'resetAfterAccept', first: 1 });
		expect(await rounds([web, web])).toEqual(['unknown', 'invalid']);
	});
});

test('What was refused because n8n cannot read its store does not count in the next round', async () => {
	const store = useNewStore();
	// The store reads it twice before it throws it.
	let reads = 0;
	Object.defineProperty(store, 'failure', {
		get: () => (++reads <= 2 ? new Error('The database is gone') : undefined),
	});
	const { runs } = await executeInLoop({
		parameters: { ...order.pushToAll, sendOnce: true },
		rows: [{}, {}],
		rowsPerRun: 1,
		credential: keyCredential(sandbox()),
		onError: 'continueRegularOutput',
	});
	const items = runs.map(({ data }) => data?.main?.[0]?.[0]?.json);
	expect(items[0]?.error).toContain('The database is gone');
	expect(items[1]).toMatchObject({ outcome: 'accepted' });
	expect(paths()).toEqual(['/api/v1/web/broadcast/all']);
});

describe('A recipient by campaign counts as a broadcast, row by row', () => {
	const toCampaign = { ...order.emailSend, recipientBy: 'campaign_id', campaign_id: 5501 };
	const mixed = {
		...order.emailSend,
		recipientBy: '={{ $json.by }}',
		email: '={{ $json.to }}',
		campaign_id: '={{ $json.to }}',
	};
	const rows = [
		{ by: 'email', to: 'anna@example.com' },
		{ by: 'campaign_id', to: 5501 },
		{ by: 'email', to: 'ben@example.com' },
	];
	const whom = () =>
		sandbox().record.map(({ body }) => {
			const { email, campaign_id } = body as Record<string, unknown>;
			return email ?? campaign_id;
		});

	it('so that more than Max Broadcasts to one campaign send nothing', async () => {
		const { error } = await run(sandbox(), toCampaign, { rows: [{}, {}] });
		expect(error?.message).toContain(
			"This would make 2 broadcasts to campaign 5501 in one execution, and 'Max Broadcasts' allows 1",
		);
		expect(paths()).toEqual([]);
	});

	it('so that rows to single persons are not sent either if there are too many', async () => {
		const { error } = await run(sandbox(), mixed, { rows: [...rows, ...rows] });
		expect(error?.message).toContain('2 broadcasts to campaign 5501');
		expect(paths()).toEqual([]);
	});

	it('and as many are sent as the maximum allows', async () => {
		await run(sandbox(), { ...toCampaign, maxBroadcasts: 2 }, { rows: [{}, {}] });
		expect(whom()).toEqual([5501, 5501]);
	});

	it('and is only shown by hand', async () => {
		const { output, hints } = await run(sandbox(), toCampaign, { mode: 'manual' });
		expect(output.map(({ json }) => json)).toMatchObject([
			{ outcome: 'preview', campaign_id: 5501 },
		]);
		expect(hints[0]?.message).toContain('Nothing was sent');
		expect(paths()).toEqual([]);
	});

	it('and is sent by hand if When Run by Hand says so', async () => {
		const { hints } = await run(sandbox(), { ...toCampaign, testRuns: 'send' }, { mode: 'manual' });
		expect(whom()).toEqual([5501]);
		expect(hints[0]?.message).toContain(
			'This run by hand sent 1 broadcast to real people: campaign 5501',
		);
	});

	it('while by hand the rows to single persons are sent', async () => {
		const { output, hints } = await run(sandbox(), mixed, { rows, mode: 'manual' });
		expect(output.map(({ json }) => [json.outcome, json.email ?? json.campaign_id])).toEqual([
			['accepted', 'anna@example.com'],
			['preview', 5501],
			['accepted', 'ben@example.com'],
		]);
		expect(whom()).toEqual(['anna@example.com', 'ben@example.com']);
		expect(hints[0]?.message).toContain('Not sent: 1 message to a campaign');
	});

	it('and all rows are sent by hand if When Run by Hand is Send, or by the trigger', async () => {
		await run(sandbox(), { ...mixed, testRuns: 'send' }, { rows, mode: 'manual' });
		await run(sandbox(), mixed, { rows });
		const all = ['anna@example.com', 5501, 'ben@example.com'];
		expect(whom()).toEqual([...all, ...all]);
	});

	it('and as a test goes to the test recipient', async () => {
		const credential = {
			...keyCredential(sandbox()),
			testRecipient: true,
			testEmail: 'me@example.com',
		};
		const parameters = { ...toCampaign, testRuns: 'testRecipient' };
		await run(sandbox(), parameters, { mode: 'manual', credential });
		expect(whom()).toEqual(['me@example.com']);
	});
});
