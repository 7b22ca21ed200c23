const all = (meant: string, ...written: Array<string | number>) =>
	written.map((one) => [one, meant] as const);
const morning = '2026-11-24 09:30:00';
const evening = '2026-11-24 18:30:00';

/**
 * A time as other systems write it, and the instant that it means where clocks show UTC: days since 1899-12-30, as
 * spreadsheets count, seconds and less since 1970, RFC 2822, HTTP, and with or without an offset after its name.
 */
export const foreignTimes: ReadonlyArray<readonly [written: string | number, utc: string]> = [
	...all(morning, 46350.395833333336, '46350,395833333336', 1795512600, '1795512600.5'),
	...all(morning, '1795512600000', '1795512600000000', '1795512600000000000'),
	...all(morning, 'Tue, 24 Nov 2026 09:30:00 +0000', 'Tue, 24 Nov 2026 04:30:00 EST'),
	...all(morning, 'Tue, 24 Nov 2026 10:30:00 +0100 (CET)', '24 Nov 2026 10:30 +0100'),
	...all(morning, 'Tuesday, 24-Nov-26 09:30:00 GMT', '24-Nov-2026 9:30 am GMT'),
	...all(morning, '2026-11-24 09:30:00 UTC', '2026-11-24T9:30:00.5Z', '24.11.2026 09:30'),
	...all(evening, '11/24/2026 09:30 PM GMT+3', 'Nov 24, 2026, 9:30 PM GMT+3'),
	...all(evening, 'November 24, 2026 at 9:30 PM GMT+3', '2026-11-24 09:30 PM GMT+3'),
	...all(evening, 'Tuesday, November 24, 2026, 9:30\u202fPM GMT+03:00'),
	[25569.5, '1970-01-01 12:00:00'],
	[20000.25, '1954-10-03 06:00:00'],
	[79999.999988, '2119-01-10 23:59:59'],
	['946684800', '2000-01-01 00:00:00'],
	['11/24/2026 9:30:15 PM GMT+3', '2026-11-24 18:30:15'],
	['24 November 2026 21:30 UTC-05:30', '2026-11-25 03:00:00'],
	['2026/11/24 09:30:00 +0300', '2026-11-24 06:30:00'],
	['2026/11/24 9:30:15', '2026-11-24 09:30:15'],
	['Nov 24, 2026 9:30 PM', '2026-11-24 21:30:00'],
];

/** A day without a time, and that day. */
export const foreignDays: ReadonlyArray<readonly [written: string | number, day: string]> = [
	...all('2026-11-24', 46350, '46350.0', '24 Nov 2026', 'November 24, 2026', '2026/11/24'),
];

/** What is no time, and what could be several. */
export const noTimes: ReadonlyArray<string | number> = [
	...[19999, 80001, 7, 46350395, '1795512', '17955126001', 'PM', 'Nov 31, 2026 9:30 PM'],
	...['24 Nov 2026 25:30 GMT', '24 Nov 2026 9:30 PM GMT+3 or so'],
];

type Column<Value> = readonly [column: string, values: readonly Value[]];

/** A column, its values, and the dates that they mean. */
export const serialColumns: ReadonlyArray<
	readonly [...Column<string | number | null>, dates: readonly string[]]
> = [
	['Kaufdatum', [46350, 46351], ['2026-11-24', '2026-11-25']],
	['created_at', [46350.395833333336, 46350], ['2026-11-24 09:30:00', '2026-11-24 00:00:00']],
	['signupDate', ['46350', '46351'], ['2026-11-24', '2026-11-25']],
	['Date of birth', [25569, null, 33000], ['1970-01-01', '', '1990-05-07']],
	['last seen', [46350.395833333336], ['2026-11-24 09:30:00']],
	['joined', ['46350'], ['2026-11-24']],
	['Datum', ['46350,5'], ['2026-11-24 12:00:00']],
];

export const noSerialColumns: ReadonlyArray<Column<string | number>> = [
	['salary', [46350, 52000]],
	['zip', ['20095', '80331']],
	['candidate', [46350]],
	['price', [45000.5, 46350.75]],
	['created_at', [46350, '2026-11-24']],
	['order date', [19999, 80001]],
];
