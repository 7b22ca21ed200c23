import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { executeInLoop, type LoopOrder } from '../support/loop';
import { useNewStore } from '../support/memoryStore';
import * as order from '../support/orders';
import { keyCredential, run, useSandbox } from '../support/service';

const sandbox = useSandbox();
beforeEach(() => void useNewStore());

const paths = () => sandbox().record.map(({ path }) => path);

describe('Max Broadcasts counts through an execution', () => {
	/** What became of each round of a loop: its platform and audience, or that there were too many. */
	const rounds = async (rows: IDataObject[], maxBroadcasts = 1, rest: Partial<LoopOrder> = {}) => {
		// Other executions have sent nothing.
		useNewStore();
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

	it('but not what definitely reached nobody, nor the tries of Retry On Fail', async () => {
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

	it.each<[string, Array<string | number>]>([
		['number and text', [5501, '5501']],
		['leading zeros', ['5501', '05501']],
		['full-width digits', ['5501', '５５０１']],
		['Arabic digits', ['5501', '٥٥٠١']],
		['mathematical digits', ['5501', '𝟝𝟝𝟘𝟙']],
		['spaces around', ['5501', '\u00a05501 ']],
		['an invisible character', ['5501', '55\u200b01']],
		['a plus', ['5501', '+5501']],
		['a number beyond 2^53', ['9007199254740993', '09007199254740993']],
		['letters', ['spring', 'ｓpring']],
	])('and IDs of one campaign are the same campaign with %s', async (_, ids) => {
		const parameters = { ...toCampaign, campaign_id: '={{ $json.id }}' };
		const { error } = await run(sandbox(), parameters, { rows: ids.map((id) => ({ id })) });
		expect(error?.message).toContain('This would make 2 broadcasts to campaign');
		expect(paths()).toEqual([]);
	});

	it('while other IDs are other campaigns, and each is sent as it was entered', async () => {
		const ids = [5501, '05502', '５５０３', '5504.5', '-5505', 'A1', 'a1'];
		const parameters = { ...toCampaign, campaign_id: '={{ $json.id }}' };
		await run(sandbox(), parameters, { rows: ids.map((id) => ({ id })) });
		expect(whom()).toEqual(ids);
	});

	it.each<[string, INodeParameters, string?]>([
		['With Send Once and a key', { sendOnce: true, sendOnceKey: 'Spring sale' }],
		['With Send Once and no key', { sendOnce: true }],
		['By hand, once a day', { testRuns: 'send' }, 'manual'],
	])('%s, a campaign in another spelling is skipped', async (_, more, mode = 'webhook') => {
		const send = async (campaign_id: string | number) =>
			await run(
				sandbox(),
				{ ...toCampaign, ...more, campaign_id },
				{ mode: mode as 'manual' | 'webhook' },
			);
		await send(5501);
		for (const spelling of ['5501', '05501', '５５０１', '٥٥٠١']) {
			const { output } = await send(spelling);
			expect(output[0]?.json).toMatchObject({ reason: 'sentBefore', campaign_id: spelling });
		}
		expect(whom()).toEqual([5501]);
		expect((await send('5502')).output[0]?.json.outcome).toBe('accepted');
	});

	it('so by hand, one row to a campaign makes the whole run one that is only shown', async () => {
		const { output, hints } = await run(
			sandbox(),
			{ ...mixed, testRuns: 'send' },
			{ rows, mode: 'manual' },
		);
		expect(output.map(({ json }) => [json.outcome, json.email ?? json.campaign_id])).toEqual([
			['preview', 'anna@example.com'],
			['preview', 5501],
			['preview', 'ben@example.com'],
		]);
		expect(hints[0]?.message).toContain(
			"Nothing was sent: an expression in 'Recipient By' addresses an item to a campaign",
		);
		expect(paths()).toEqual([]);
	});

	it('while by hand, rows to single persons alone are sent, and by the trigger all rows', async () => {
		const persons = rows.filter(({ by }) => by === 'email');
		await run(sandbox(), mixed, { rows: persons, mode: 'manual' });
		await run(sandbox(), mixed, { rows });
		expect(whom()).toEqual([
			'anna@example.com',
			'ben@example.com',
			'anna@example.com',
			5501,
			'ben@example.com',
		]);
	});
});
