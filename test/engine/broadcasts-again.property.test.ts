import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { propertySeed, sized } from '../propertyRuns';
import { agentTool } from './support/agentTool';
import { ExecutionList } from './support/executionList';
import { executeInLoop } from './support/loop';
import { useNewStore } from './support/memoryStore';
import * as order from './support/orders';
import { freezeClock, keyCredential, useSandbox } from './support/service';

// Hundreds of workflows, of many executions each, take minutes.
jest.setTimeout(1_800_000);
freezeClock('2026-10-28T12:00:00Z');
const sandbox = useSandbox();

/** What a workflow that calls another one does with its rows. */
type Calls =
	| { kind: 'each' | 'once'; isParallel: boolean; isRetried: boolean; inner: Calls }
	| { kind: 'loop'; size: number; inner: Calls }
	| { kind: 'broadcast'; by: 'items' | 'loop' | 'agent' | 'mcp'; isRetried: boolean };

const { calls } = fc.letrec<{ calls: Calls }>((tie) => ({
	calls: fc.oneof(
		{ maxDepth: 3, depthIdentifier: 'calls' },
		fc.record({
			kind: fc.constant('broadcast' as const),
			by: fc.constantFrom('items' as const, 'loop' as const, 'agent' as const, 'mcp' as const),
			isRetried: fc.boolean(),
		}),
		fc.record({
			kind: fc.constantFrom('each' as const, 'once' as const),
			isParallel: fc.boolean(),
			isRetried: fc.boolean(),
			inner: tie('calls'),
		}),
		fc.record({
			kind: fc.constant('loop' as const),
			size: fc.integer({ min: 1, max: 3 }),
			inner: tie('calls'),
		}),
	),
}));

/** Keys as people write them, and what they are for a campaign. */
const keys: Record<string, (campaign: string) => string> = {
	'Spring sale': () => 'Spring sale',
	'={{ $json.campaign }}': (campaign) => campaign,
	'={{ $json.campaign }} {{ $today.toISODate() }}': (campaign) => campaign,
	'=Sale {{ $today.toFormat("d.M.yyyy") }}': () => 'the day',
};
const noKeys: INodeParameters[] = [
	{},
	{ sendOnceKey: 'Spring sale' },
	{ sendOnce: true },
	{ sendOnce: true, sendOnceKey: '={{ $json.missing }}' },
	{ sendOnce: true, sendOnceKey: '={{ $json.campaign }} {{ $execution.id }}' },
	{ sendOnce: true, sendOnceKey: '={{ $json.campaign }} {{ $now.toISO() }}' },
];
const rows = fc.array(fc.record({ campaign: fc.constantFrom('Spring', 'Summer', 'Autumn') }), {
	minLength: 1,
	maxLength: 4,
});

/** Plays workflows that call each other. The outermost one is started by its trigger. */
class World {
	private readonly list = new ExecutionList();
	private executions = 0;

	constructor(private readonly more: INodeParameters) {}

	async play(called: Calls, given: IDataObject[], isCalled: boolean): Promise<void> {
		if (called.kind === 'broadcast') return await this.broadcast(called, given, isCalled);
		const size = called.kind === 'loop' ? called.size : called.kind === 'each' ? 1 : Infinity;
		const portions = given.flatMap((_, at) =>
			at % size === 0 ? [given.slice(at, at + size)] : [],
		);
		const once = async () => {
			const play = async (some: IDataObject[]) => await this.play(called.inner, some, true);
			if ('isParallel' in called && called.isParallel) await Promise.all(portions.map(play));
			else for (const portion of portions) await play(portion);
		};
		await once();
		// A retry of the caller calls everything anew.
		if ('isRetried' in called && called.isRetried) await once();
	}

	private async broadcast(
		{ by, isRetried }: Extract<Calls, { kind: 'broadcast' }>,
		given: IDataObject[],
		isCalled: boolean,
	): Promise<void> {
		const parameters = { ...order.pushToAll, maxBroadcasts: 500, title: '={{ $json.campaign }}' };
		const subject = { parameters: { ...parameters, ...this.more }, credential: this.credential };
		const mode = isCalled ? 'integrated' : 'webhook';
		if (by === 'agent' || by === 'mcp') {
			for (const row of given) {
				const tool = agentTool({ ...subject, mode, isOverMcp: by === 'mcp' }, row);
				for (let asked = 0; asked < (isRetried ? 2 : 1); asked++)
					await tool.invoke({}).catch(() => undefined);
			}
		} else if (by === 'loop' && isCalled) {
			await executeInLoop({ ...subject, mode, rows: given, rowsPerRun: 1 });
		} else {
			const caller = { executionId: `caller ${++this.executions}` };
			const execution = await this.list.start({ ...subject, rows: given, caller });
			if (isRetried) await this.list.retry(execution);
		}
	}

	private readonly credential = keyCredential(sandbox());
}

async function play(called: Calls, given: IDataObject[], more: INodeParameters, refused = 0) {
	useNewStore();
	sandbox().reset();
	if (refused > 0) sandbox().faults.add({ kind: 'status', status: 400, first: refused });
	await new World(more).play(called, given, false);
	return sandbox().accepted().length;
}

test('However executions call each other, no broadcast goes out without a key of Send Once', async () => {
	await fc.assert(
		fc.asyncProperty(calls, rows, fc.constantFrom(...noKeys), async (called, given, more) => {
			await play(called, given, more);
			expect(sandbox().record).toEqual([]);
		}),
		{ numRuns: sized(8, 150), seed: propertySeed },
	);
});

test('However executions call each other, one broadcast goes out for each value of the key', async () => {
	let repeated = 0;
	await fc.assert(
		fc.asyncProperty(
			calls,
			rows,
			fc.constantFrom(...Object.keys(keys)),
			fc.nat(2),
			async (called, given, sendOnceKey, refused) => {
				const more = { sendOnce: true, sendOnceKey };
				const sent = await play(called, given, more, refused);
				const values = new Set(given.map(({ campaign }) => keys[sendOnceKey]?.(campaign)));
				if (refused === 0) expect(sent).toBe(values.size);
				else expect(sent).toBeLessThanOrEqual(values.size);
				if (refused === 0 && given.length > values.size) repeated++;
			},
		),
		{ numRuns: sized(8, 150), seed: propertySeed },
	);
	expect(repeated).toBeGreaterThan(0);
});
