/** Dates as spreadsheets and forms write them: `25.12.2026`, `25/12/2026 09:30`, `12/25/2026, 9:30 AM`. */
const commonDate =
	/^(?<one>\d\d?)(?<sign>[./-])(?<two>\d\d?)\k<sign>\d{4}(?:(?<gap>,? )\d\d?:\d\d(?<seconds>:\d\d)?(?<half> ?[ap]m)?)?$/i;

/**
 * Says which expression converts a date in a common format; empty for any other text. The expression gives
 * a time without an offset, so that the timezone of the form still applies.
 *
 * @param placeholder what gives the date in the user's expression, such as `$json.date`
 */
export function adviseConversion(text: string, placeholder = '$json.date'): string {
	const { one, sign = '', two, gap, seconds, half } = commonDate.exec(text)?.groups ?? {};
	const [first, second] = [Number(one), Number(two)];
	const isDate = Math.min(first, second) <= 12 && Math.max(first, second) <= 31;
	if (!isDate) return '';

	const day = second > 12 ? ['M', 'd', 'yyyy'] : ['d', 'M', 'yyyy'];
	const ending = seconds ? ':ss' : '';
	const clock = half ? `h:mm${ending}${half.replace(/[ap]m/i, 'a')}` : `H:mm${ending}`;
	// Luxon reads one or two digits for each `d`, `M`, `H` and `h`.
	const format = `'${day.join(sign)}${gap ?? ' '}${clock}'`;
	const [how, date] = gap
		? ['convert it', placeholder]
		: ['convert it and choose a time of day', `${placeholder} + ' 09:30'`];
	const isAmbiguous = sign !== '.' && first <= 12 && second <= 12;
	return [
		`, or ${how}: {{ DateTime.fromFormat(${date}, ${format}).toFormat('yyyy-MM-dd HH:mm${ending}') }}`,
		...(isAmbiguous ? ['If the month comes first, write M before d'] : []),
	].join('. ');
}
