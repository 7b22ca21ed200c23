import { number, ratios, spread, told } from '../../../bench/statistics';
import { tally } from '../../../bench/tally';

const seen = (atMs: number, status: number, ...users: string[]) => ({
	atMs,
	users,
	status,
	accepted: status === 200,
});

test('Users are counted by what was accepted for them', () => {
	const all = [
		seen(1, 200, 'a', 'b'),
		seen(2, 429, 'c'),
		seen(3, 200, 'b'),
		seen(4, 500, 'd'),
		seen(5, 429, 'c'),
	];
	expect(tally(all, 4)).toEqual({ requests: 5, refused: 2, lost: 2, doubled: 1, lastMs: 3 });
});

test('If nothing was accepted, every user counts as lost', () => {
	expect(tally([seen(1, 429, 'a')], 2)).toEqual({
		requests: 1,
		refused: 1,
		lost: 2,
		doubled: 0,
		lastMs: NaN,
	});
});

test('Each round is compared with its own round', () => {
	expect(ratios([1, 4, 9], [1, 2, 3])).toEqual({ median: 2, min: 1, max: 3 });
	expect(ratios([1, 2], [1])).toMatchObject({ median: NaN });
});

test.each([
	[spread([1, 2, 4]), 2, '2.00 (1.00–4.00)'],
	[spread([3, 3]), 1, '3.0'],
	[spread([1_234.5, 999]), 0, '1,117 (999–1,235)'],
])('%j is written as %s digits: %s', (figures, digits, written) => {
	expect(told(figures, digits)).toBe(written);
});

test('A figure that was not measured is shown as a dash', () => {
	expect(number(NaN, 2)).toBe('–');
});
