import type { IDataObject } from 'n8n-workflow';

import { each, saidBy, useAttempts } from '../support/attempts';
import { push, rowsOf } from '../support/sends';

const use = useAttempts();

describe('Of several messages to one recipient, of which a killed attempt had made some,', () => {
	const text = (what: string) => ({ id: 'ann', text: `Your ${what} is here` });
	const between = rowsOf(40).map((row) => ({ ...row, text: 'Hello' }));
	const code = text('code');
	const parcel = text('parcel');
	const rows = [code, ...between, parcel];
	const byText = { ...push({ concurrency: 1 }), message: '={{ $json.text }}' };
	const goingOn = { onError: 'continueErrorOutput' as const };
	/** What is said of both, and how often each has arrived. */
	const told = (said: string[], from: IDataObject[]) =>
		[code, parcel].map((row) => said[from.indexOf(row)]);
	const arrived = () => use().accepted([code.text, parcel.text]);

	test.each([
		['come as before', rows],
		['come in reverse', [...rows].reverse()],
	])('none is called accepted, and none is sent, where the rows %s', async (_, changed) => {
		const order = use().order(byText, rows, goingOn);
		const first = await use().killRetryAfter(30, order);
		expect(arrived()).toEqual([1, 0]);
		const second = await use().list.retry(first, { rows: changed });
		expect(told(saidBy(second), changed)).toEqual(each('unknown interrupted', 2));
		expect(
			saidBy(second).filter((said) => said.startsWith('accepted')).length,
		).toBeGreaterThanOrEqual(30);
		expect(arrived()).toEqual([1, 0]);

		const parameters = { ...byText, options: { concurrency: 1, retryUnknown: true } };
		const third = await use().list.retry(first, { rows: changed, parameters });
		expect(told(saidBy(third), changed)).toEqual(each('accepted', 2));
		expect(arrived()[1]).toBe(1);
	});

	test('none is sent with Send Once either, and a key of its own decides for none', async () => {
		const byKey = { ...byText, sendOnce: true, sendOnceKey: '={{ $json.text }}' };
		const first = await use().killRetryAfter(30, use().order(byKey, rows, goingOn));
		const reversed = [...rows].reverse();
		const second = await use().list.retry(first, { rows: reversed });
		expect(told(saidBy(second), reversed)).toEqual(each('unknown interrupted', 2));
		expect(arrived()).toEqual([1, 0]);
	});

	test('the memory of the execution decides if it was not killed', async () => {
		use().refuseOnce('parcel');
		const first = await use().list.start(use().order(byText, rows));
		const second = await use().list.retry(first);
		expect(second.error).toBeUndefined();
		expect(told(saidBy(second), rows)).toEqual(['accepted before', 'accepted']);
		expect(arrived()).toEqual([1, 1]);
	});
});
