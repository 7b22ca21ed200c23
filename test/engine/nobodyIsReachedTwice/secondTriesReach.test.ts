import type { INodeParameters } from 'n8n-workflow';

import { each, saidBy, useAttempts } from '../support/attempts';
import { ExecutionList } from '../support/executionList';
import { trackEvent } from '../support/orders';
import { creations, push, rowsOf } from '../support/sends';
import { freezeClock } from '../support/service';

const began = Date.parse('2026-11-24T12:00:00Z');
freezeClock('2026-11-24T12:00:00Z');
const HOUR_MS = 3_600_000;
/** Sets the clock to so many hours after the execution that is retried began. */
const at = (hours: number) => jest.setSystemTime(began + hours * HOUR_MS);

const use = useAttempts();
const rows = rowsOf(30);
const ids = rows.map(({ id }) => id);
const plain = push({ concurrency: 2 });
const once: INodeParameters = { ...plain, sendOnce: true, sendOnceKey: 'spring sale' };
const goingOn = { onError: 'continueErrorOutput' as const };
const order = (parameters = plain) => use().order(parameters, rows, goingOn);

/** What other executions leave in the list, which holds so many entries. */
const fill = (name: string, entries: number, keep = 5_000) =>
	use().store.preset(
		Array.from({ length: entries }, (_, entry) => `${name} ${entry}`),
		keep,
	);
/** Another execution, of one message, which begins a second later. */
const runSmall = async (id: string, parameters = plain) => {
	jest.setSystemTime(Date.now() + 1_000);
	return await use().list.start(use().order(parameters, [{ id }], goingOn));
};
const passed: Array<[string, number]> = [
	['an hour', 1],
	['a day', 24],
	['three months', 24 * 90],
];
const kinds: Array<[string, INodeParameters, number]> = [
	['whose list is full', plain, 5_000],
	['with Send Once whose list is full', once, 100_000],
];
const outcomesOf = (said: string[]) => said.map((words) => words.split(' ')[0]);

afterEach(() => at(0));

describe.each(passed)(
	'After a node before it had failed, a retry sends everything %s later:',
	(_, hours) => {
		test('a new node', async () => {
			const first = await use().failBefore(order());
			at(hours);
			expect(saidBy(await use().list.retry(first))).toEqual(each('accepted', 30));
			expect(use().accepted(ids)).toEqual(each(1, 30));
		});

		test('a node whose first execution came after it', async () => {
			const first = await use().failBefore(order());
			await runSmall('late');
			at(hours);
			expect(saidBy(await use().list.retry(first))).toEqual(each('accepted', 30));
			expect(use().accepted(ids)).toEqual(each(1, 30));
		});

		test.each(kinds)('a node %s', async (_, parameters, keep) => {
			at(-3);
			fill('older', keep, keep);
			await runSmall('early', parameters);
			at(0);
			const first = await use().failBefore(order(parameters));
			fill('others', keep / 2, keep);
			await runSmall('late', parameters);
			at(hours);
			expect(saidBy(await use().list.retry(first))).toEqual(each('accepted', 30));
			expect(use().accepted(ids)).toEqual(each(1, 30));
		});
	},
);

test.each([2, 3, 4, 6])(
	'After a retry was killed before call %d of the store, another one sends everything or says that it is in doubt',
	async (call) => {
		at(-3);
		fill('older', 5_000);
		await runSmall('early');
		at(0);
		const first = await use().failBefore(order());
		await use().killBeforeCall(call, async (course) => await use().list.retry(first, course));
		const arrived = use().accepted(ids);
		const said = outcomesOf(saidBy(await use().list.retry(first)));
		expect(said.filter((one) => one !== 'accepted' && one !== 'unknown')).toEqual([]);
		expect(use().accepted(ids)).toEqual(
			said.map((one, row) => (one === 'unknown' ? arrived[row] : 1)),
		);
		const retryUnknown = push({ retryUnknown: true });
		const last = saidBy(await use().list.retry(first, { parameters: retryUnknown }));
		expect(outcomesOf(last)).toEqual(each('accepted', 30));
	},
);

describe('An execution that n8n took for dead, and a retry of which was killed', () => {
	let mostLeft = 0;

	test.each([8, 9, 10])(
		'before call %d of the store, reaches everybody once, beside another retry',
		async (call) => {
			at(-3);
			await runSmall('early');
			at(0);
			const first = await use().failBefore(order());
			const before = use().store.keys.size;
			await use().killBeforeCall(call, async (course) => await use().list.retry(first, course));
			mostLeft = Math.max(mostLeft, use().store.keys.size - before);
			const [going, later] = [use().list.goOn(first), use().list.retry(first)];
			const said = [saidBy(await going), saidBy(await later)];
			const pairs = ids.map((_, row) => said.map((one) => one[row]).sort());
			expect(pairs).toEqual(ids.map(() => ['accepted', 'accepted before']));
			expect(use().accepted(ids)).toEqual(each(1, 30));
		},
	);

	test('left in the list what it had looked up, once', () => expect(mostLeft).toBeGreaterThan(0));
});

describe('A retry that was killed while it looked names up', () => {
	let worst = 0;

	test.each(Array.from({ length: 12 }, (_, index) => 14 + index))(
		'before call %d of the store, leaves at most ten more in doubt',
		async (call) => {
			const first = await use().killRetryAfter(2, order());
			const arrived = use().accepted(ids);
			await use().killBeforeCall(call, async (course) => await use().list.retry(first, course));
			const said = outcomesOf(saidBy(await use().list.retry(first)));
			const inDoubt = said.filter((one) => one === 'unknown').length;
			worst = Math.max(worst, inDoubt);
			expect(inDoubt).toBeLessThanOrEqual(20);
			expect(said.filter((one) => one === 'accepted')).toHaveLength(30 - inDoubt);
			expect(use().accepted(ids)).toEqual(
				said.map((one, row) => (one === 'unknown' ? arrived[row] : 1)),
			);
		},
	);

	test('is among these calls', () => expect(worst).toBeGreaterThan(10));
});

describe('Where n8n counts its executions from 1 again and its notes are still there,', () => {
	const others = rowsOf(30, 'v');
	/** As after a move by export, and as n8n 1 runs a killed execution again. */
	const runWithFirstId = async (rowsOfRun = rows) => {
		use().list = new ExecutionList();
		return await use().list.start(use().order(plain, rowsOfRun, goingOn));
	};

	test.each([
		['two days', 48],
		['a month', 24 * 30],
	])('%s later a new execution sends everything, and so does its retry', async (_, hours) => {
		await runWithFirstId();
		at(hours);
		expect(saidBy(await runWithFirstId(others))).toEqual(each('accepted', 30));
		at(2 * hours);
		use().list = new ExecutionList();
		const failed = await use().failBefore(use().order(plain, others, goingOn));
		at(2 * hours + 1);
		expect(saidBy(await use().list.retry(failed))).toEqual(each('accepted', 30));
		expect(use().accepted(others.map(({ id }) => id))).toEqual(each(2, 30));
	});

	// The clocks of two workers may differ.
	test.each([
		['at once', 0.001],
		['after midnight', 13],
		['by a clock that is still behind midnight', -0.1, 12.05],
	])('a second run of a killed one sends nothing %s', async (_, hours, firstHours = 0) => {
		at(firstHours);
		await use().killAfter(12, async (course) => {
			await use().list.start({ ...order(), ...course });
		});
		const arrived = use().accepted(ids);
		at(firstHours + hours);
		const again = await runWithFirstId();
		expect(saidBy(again)).toEqual(each('unknown interrupted', 30));
		expect(JSON.stringify(again.failed[0]?.json)).toContain(
			'n8n runs this execution a second time from the start',
		);
		expect(use().accepted(ids)).toEqual(arrived);
	});
});

describe('A retry of an execution that is older than all that its node remembers', () => {
	/** Other executions have turned the list over. */
	async function turnOver(): Promise<void> {
		fill('others', 5_000);
		await runSmall('late');
	}

	test('calls everything unknown, and sends it with Retry Unknown', async () => {
		at(-3);
		await runSmall('early');
		at(0);
		const first = await use().failBefore(order());
		await turnOver();
		at(1);
		expect(outcomesOf(saidBy(await use().list.retry(first)))).toEqual(each('unknown', 30));
		expect(use().accepted(ids)).toEqual(each(0, 30));
		const parameters = push({ retryUnknown: true });
		const third = await use().list.retry(first, { parameters });
		expect(saidBy(third)).toEqual(each('accepted', 30));
		expect(use().accepted(ids)).toEqual(each(1, 30));
	});

	test.each([1, 2, 3, 4, 6, 8])(
		'reaches nobody twice, also after a retry was killed before call %d of the store',
		async (call) => {
			at(-3);
			await runSmall('early');
			at(0);
			const first = await use().killRetryAfter(14, order());
			await turnOver();
			at(1);
			const arrived = use().accepted(ids);
			await use().killBeforeCall(call, async (course) => await use().list.retry(first, course));
			expect(outcomesOf(saidBy(await use().list.retry(first)))).toEqual(each('unknown', 30));
			expect(use().accepted(ids)).toEqual(arrived);
		},
	);
});

describe('A small run beside a killed large one', () => {
	const events: INodeParameters = {
		...trackEvent,
		userID: '={{ $json.id }}',
		options: { batchSize: 100, concurrency: 1 },
	};
	const many = rowsOf(5_600);
	/** How often each user's event was accepted, also of those that a killed request carried. */
	const arrivedOf = () => {
		const counts = creations(use().sandbox.record);
		return many.map(({ id }) => counts.get(id) ?? 0);
	};
	async function killLarge() {
		const first = await use().killRetryAfter(54, use().order(events, many, goingOn));
		await runSmall('someone', events);
		const before = arrivedOf();
		return { before, said: saidBy(await use().list.retry(first)) };
	}

	test('makes it forget nobody, and the rest is sent', async () => {
		at(-3);
		await runSmall('early', events);
		at(0);
		fill('older', 1_000);
		const { before, said } = await killLarge();
		expect(said.filter((one) => one.startsWith('unknown')).length).toBeLessThanOrEqual(200);
		expect(outcomesOf(said)).not.toContain('notSent');
		expect(said.findIndex((one, row) => one === 'accepted' && before[row] !== 0)).toBe(-1);
		expect(said.findIndex((one, row) => one === 'accepted before' && before[row] !== 1)).toBe(-1);
		expect(arrivedOf()).toEqual(
			said.map((one, row) => (one.startsWith('unknown') ? before[row] : 1)),
		);
	});

	test('leaves in doubt what its retry cannot find, where its oldest notes were dropped', async () => {
		const { before, said } = await killLarge();
		expect(said.findIndex((one, row) => one === 'accepted' && before[row] !== 0)).toBe(-1);
		expect(said.findIndex((one, row) => one === 'accepted before' && before[row] !== 1)).toBe(-1);
		expect(arrivedOf()).toEqual(
			said.map((one, row) => (one.startsWith('unknown') ? before[row] : 1)),
		);
		expect(said.filter((one) => one === 'accepted before').length).toBeGreaterThanOrEqual(5_200);
	});
});
