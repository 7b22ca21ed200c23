import type { INodeParameters } from 'n8n-workflow';

import { each, saidBy, useAttempts, wordsOf } from '../support/attempts';
import type { Course } from '../support/executionList';
import { idOf, push, rowsOf } from '../support/sends';
import { freezeClock } from '../support/service';

freezeClock('2026-11-23T12:00:00Z');
beforeEach(() => jest.setSystemTime(new Date('2026-11-23T12:00:00Z')));
const pass = (days: number) => jest.setSystemTime(Date.now() + days * 86_400_000);

const use = useAttempts();
const rows = rowsOf(30).map((row) => ({ ...row, at: '12:00:00' }));
const ids = rows.map(({ id }) => id);
const plain = { ...push({ concurrency: 2 }), message: '={{ $json.text ?? "There" }}' };
const once = (more: INodeParameters = {}): INodeParameters => ({
	...plain,
	sendOnce: true,
	...more,
});
const goingOn = { onError: 'continueErrorOutput' as const };
const dated = once({ sendOnceKey: '=Spring sale {{ $today.toISODate() }}' });
const laterRows = rows.map((row) => ({ ...row, at: '12:00:09', text: 'Hello again' }));

/** What each attempt had, and what a retry of it has. */
const cases: Array<[string, INodeParameters, Course]> = [
	['the key holds the day, and the retry is of the next day', dated, {}],
	['the key was corrected', once({ sendOnceKey: 'a' }), { parameters: once({ sendOnceKey: 'b' }) }],
	['there is no key, and the text was corrected', once(), { parameters: once({ title: 'Dear' }) }],
	[
		'the key comes from a node before, where it differs in each attempt',
		once({ sendOnceKey: '={{ $json.at }}' }),
		{ rows: laterRows },
	],
	['a key took the place of none', once(), { parameters: once({ sendOnceKey: 'spring sale' }) }],
	[
		'the period was changed',
		once({ sendOnceKey: 'a', sendOncePeriod: 'day' }),
		{ parameters: once({ sendOnceKey: 'a', sendOncePeriod: 'month' }) },
	],
	['Send Once was turned off', once({ sendOnceKey: 'a' }), { parameters: plain }],
	['Send Once was turned on', plain, { parameters: once({ sendOnceKey: 'a' }) }],
];

describe('A retry reaches nobody twice and says so of every row where', () => {
	test.each(cases)('%s, after a kill', async (_, parameters, changes) => {
		const first = await use().killRetryAfter(14, use().order(parameters, rows, goingOn));
		const before = use().accepted(ids);
		pass(1);
		const second = saidBy(await use().list.retry(first, changes));
		const inDoubt = second.filter((said) => said === 'unknown interrupted').length;
		expect(inDoubt).toBeLessThanOrEqual(10);
		expect(second).toEqual(
			second.map((said, row) => {
				if (said.startsWith('unknown')) return 'unknown interrupted';
				return before[row] === 1 ? 'accepted before' : 'accepted';
			}),
		);
		const reached = second.map((said, row) => (said.startsWith('unknown') ? before[row] : 1));
		expect(use().accepted(ids)).toEqual(reached);

		const third = saidBy(await use().list.retry(first, changes));
		expect(third).toEqual(second.map((said) => (said === 'accepted' ? 'accepted before' : said)));
		expect(use().accepted(ids)).toEqual(reached);
	});

	test.each(cases)('%s, after another retry failed', async (_, parameters, changes) => {
		const refuse = (row: number) => use().refuseOnce(idOf(row));
		const one = { ...parameters, options: { concurrency: 1 } };
		refuse(4);
		const first = await use().list.start(use().order(one, rows));
		refuse(8);
		const second = await use().list.retry(first);
		expect(wordsOf(second)).toContain('item 8');
		pass(1);
		const third = await use().list.retry(first, changes);
		expect(third.error).toBeUndefined();
		expect(saidBy(third)).toEqual([...each('accepted before', 8), ...each('accepted', 22)]);
		expect(use().accepted(ids)).toEqual(each(1, 30));
	});
});

test('What a killed attempt sent without Send Once, a retry with it passes on to the next execution', async () => {
	const keyed = once({ sendOnceKey: 'spring sale' });
	const first = await use().killRetryAfter(14, use().order(plain, rows, goingOn));
	const second = saidBy(await use().list.retry(first, { parameters: keyed }));
	pass(1);
	const next = saidBy(await use().list.start(use().order(keyed, rows, goingOn)));
	expect(next).toEqual(
		second.map((said) =>
			said.startsWith('unknown') ? 'skipped sentBefore unknown' : 'skipped sentBefore accepted',
		),
	);
	expect(Math.max(...use().accepted(ids))).toBe(1);
});

describe('A key that is in doubt after a kill', () => {
	const keyed = once({ sendOnceKey: 'spring sale' });
	const isUnsure = (said: string) => said === 'skipped sentBefore unknown';

	test('is skipped by every other execution, and sent again by one with Retry Unknown', async () => {
		await use().killAfter(14, async (course) => {
			await use().list.start({ ...use().order(keyed, rows, goingOn), ...course });
		});
		pass(1);
		const reached = use().accepted(ids);
		const second = await use().list.start(use().order(keyed, rows, goingOn));
		const said = saidBy(second);
		const unsure = said.filter(isUnsure).length;
		expect(unsure).toBeGreaterThan(0);
		expect(unsure).toBeLessThanOrEqual(10);
		// Who got nothing was sent it now, or is in doubt.
		expect(said).toEqual(
			said.map((one, row) => {
				if (isUnsure(one)) return one;
				return reached[row] === 1 ? 'skipped sentBefore accepted' : 'accepted';
			}),
		);
		expect(second.hints.map(({ message }) => message).join()).toContain(
			`${unsure} messages were skipped that may never have arrived`,
		);
		pass(1);
		const third = saidBy(await use().list.start(use().order(keyed, rows, goingOn)));
		expect(third).toEqual(said.map((one) => (isUnsure(one) ? one : 'skipped sentBefore accepted')));
		const retryUnknown = { ...keyed, options: { retryUnknown: true } };
		const fourth = saidBy(await use().list.start(use().order(retryUnknown, rows, goingOn)));
		expect(fourth).toEqual(
			said.map((one) => (isUnsure(one) ? 'accepted' : 'skipped sentBefore accepted')),
		);
	});

	test('stops no execution of a daily list with Stop Workflow', async () => {
		await use().killAfter(14, async (course) => {
			await use().list.start({ ...use().order(keyed, rows), ...course });
		});
		pass(1);
		const second = await use().list.start(use().order(keyed, rows));
		expect(second.error).toBeUndefined();
		expect(saidBy(second).some(isUnsure)).toBe(true);
		expect(Math.max(...use().accepted(ids))).toBe(1);
	});
});
