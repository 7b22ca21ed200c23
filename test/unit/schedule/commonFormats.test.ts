import { adviseConversion } from '../../../nodes/CustomerMessaging/schedule/conversions';
import { readByN8n } from '../support/readByN8n';

/** What n8n makes of the expression of an advice, for the date that it was given for. */
function convert(date: string): unknown {
	const [expression = ''] = /\{\{.*\}\}/.exec(adviseConversion(date)) ?? [];
	return readByN8n(`=${expression}`, { date });
}

describe('The expression that converts a date', () => {
	it.each([
		['25.12.2026 09:30', '2026-12-25 09:30'],
		['25.12.2026, 9:30', '2026-12-25 09:30'],
		['5.1.2026 9:30:15', '2026-01-05 09:30:15'],
		['25/12/2026 23:05', '2026-12-25 23:05'],
		['12/25/2026 9:30 PM', '2026-12-25 21:30'],
		['12/25/2026, 09:30:01am', '2026-12-25 09:30:01'],
		['25-12-2026 09:30', '2026-12-25 09:30'],
		['01/02/2026 09:30', '2026-02-01 09:30'],
	])('reads %s as %s', (text, expected) => {
		expect(convert(text)).toBe(expected);
	});

	it.each([
		['25.12.2026', '2026-12-25 09:30'],
		['12/25/2026', '2026-12-25 09:30'],
		['1-2-2026', '2026-02-01 09:30'],
	])('adds a time of day to %s, because midnight is hardly meant', (text, expected) => {
		expect(adviseConversion(text)).toContain(', or convert it and choose a time of day: {{');
		expect(convert(text)).toBe(expected);
	});

	it("contains the user's own placeholder", () => {
		expect(adviseConversion('25.12.2026 09:30', "$('Form').item.json.when")).toBe(
			", or convert it: {{ DateTime.fromFormat($('Form').item.json.when, 'd.M.yyyy H:mm').toFormat('yyyy-MM-dd HH:mm') }}",
		);
	});

	it.each([
		['01/02/2026', true],
		['1-2-2026 09:30', true],
		['01.02.2026', false],
		['25/12/2026', false],
		['12/25/2026', false],
	])('of %s may have the month first: %s', (text, isAmbiguous) => {
		const ending = /\. If the month comes first, write M before d$/;
		expect(ending.test(adviseConversion(text))).toBe(isAmbiguous);
	});

	it.each([
		'tomorrow',
		'1795426',
		'25.12.26',
		'25.12.2026 at nine',
		'25.12/2026',
		'32.12.2026',
		'25.13.2026',
		'2026-11-23T09',
	])('is not given for %s', (text) => {
		expect(adviseConversion(text)).toBe('');
	});
});
