import { eachAs, eachAsIs, type ValueRow } from './row';

const of = (country: string, sent: string, ...all: string[]) =>
	all.map((written) => [country, written, sent] as const);

/** Numbers as people write them at home: the country set as Default Country, the number, and E.164. */
export const national: ReadonlyArray<readonly [country: string, written: string, sent: string]> = [
	...of('AR', '+5491123456789', '011 15-2345-6789'),
	...of('AT', '+436641234567', '0664/123 45 67'),
	...of('BE', '+32470123456', '0470/12.34.56'),
	...of('BR', '+5511987654321', '(11) 98765-4321'),
	...of('CH', '+41446681800', '044/668/18/00'),
	...of('DE', '+491713920001', '0171/3920001', '0171.392.00.01'),
	...of('DK', '+4532123456', '32 12 34 56'),
	...of('ES', '+34612345678', '612 34 56 78'),
	...of('FR', '+33123456789', '01 23 45 67 89'),
	...of('FR', '+33142685300', '01/42/68/53/00'),
	...of('IN', '+918123456789', '081234 56789'),
	...of('IT', '+390612345678', '06 1234 5678'),
	...of('IT', '+393123456789', '312 345 6789'),
	...of('KZ', '+77710009998', '8 (771) 000 9998'),
	...of('MX', '+525512345678', '55 1234 5678'),
	...of('US', '+12125550100', '(212) 555-0100'),
	// As spreadsheets and pandas write whole numbers that they took for decimals.
	...of('IN', '+919876500000', '9876500000.0', '9876500000,0', '9876500000.00'),
	...of('DE', '+491713920001', '1713920001.0', '491713920001.0'),
	// Landlines.
	...of('DE', '+49301234567', '030.123.45.67'),
	...of('DE', '+4930123450', '030/123 45-0'),
	...of('GB', '+442079460958', '020 7946 0958'),
	// A number from abroad, as the country dials, and one without its plus.
	...of('US', '+491713920001', '011 49 171 3920001'),
	...of('GB', '+447400123456', '447400123456'),
	// Digits of other scripts.
	...of('IN', '+919876543210', '919876543210', '९८७६५४३२१०'),
	...of('JP', '+819012345678', '０９０－１２３４－５６７８'),
	// A mark of text, as Excel shows and Google Sheets may export it.
	...of('DE', '+491713920001', "'0171 3920001"),
];

/** Numbers with their country code, which need no Default Country. */
export const international: readonly ValueRow[] = [
	...eachAs('+4512345678', '+45 12 34 56 78'),
	...eachAs('+491701234567', '0049 170 1234567', '+49 (0)170 1234567'),
	...eachAs('+12125550100', '+1/212/555-0100', '+1 (212) 555-0100', '+1 [212] 555-0100'),
	...eachAs('+33612345678', '+33.6.12.34.56.78', '+33\u00a06\u00a012\u00a034\u202f56\u00a078'),
	...eachAs('+491701234567', '+49\u2011170\u20111234567', '+49—170—1234567', '+49−170−1234567'),
	...eachAs('+491701234567', '\u202a+49 170 1234567\u202c', '+49170\u200b1234567'),
	...eachAs('+491701234567', '\ufeff+491701234567', '+49\t170\t1234567'),
	...eachAs('+919876500000', '+919876500000.0', '+919876500000.00'),
	...eachAs('+919876543210', 'p:+919876543210', 'P: +919876543210', '+९१ ९८७६५ ४३२१०'),
	...eachAs('+491713920001', 'tel:+49-171-3920001', "'+491713920001", '\u2019+49 171 3920001'),
	...eachAs('+491713920001', '＋４９（１７１）３９２０００１', '+٤٩١٧١٣٩٢٠٠٠١'),
	...eachAs('+390612345678', '+39 (0)6 1234 5678'),
	...eachAs('+819012345678', '+81－90－1234－5678'),
];

const several = 'seems to hold more than one phone number';
const none = 'is not a phone number with country code';
const rounded = 'is rounded, so digits are missing';
const not = (country: string) => `is not a phone number of ${country}`;
const unusable = (why: string, country: string, ...all: string[]) =>
	all.map((written) => [country, written, why] as const);

/** What is refused: the country set as Default Country, the value, and the message. */
export const refused: ReadonlyArray<readonly [country: string, written: unknown, why: string]> = [
	...unusable(several, 'DE', '0171-392 00 01/2', '0171-392 00 01/123', '0171 3920001 (2)'),
	...unusable(several, 'DE', '030 12345 030 12346', '0171 1234567;0172 7654321', '030 12345.00'),
	...unusable(several, 'DE', '0171 3920001 x123'),
	...unusable(several, '', '+491711234567+491727654321', 'tel:+12125550100;ext=42'),
	...unusable(several, 'US', '(212) 555-0100 ext. 5'),
	...unusable(several, 'IN', '9876500000.5', '9876500000,25'),
	...unusable(rounded, 'IN', '9.8765E+09', '9,19877E+11'),
	...unusable(`${not('United Kingdom')}. Write it as +4915112345678`, 'GB', '250-555-0100'),
	...unusable(
		`${not('United Kingdom')}. Did you mean +12125550100? Write it with its plus`,
		'GB',
		'12125550100',
	),
	...unusable('could be +49447400123456 or +447400123456', 'DE', '447400123456'),
	...unusable(not('India'), 'IN', '123-123-1234', '9999999999'),
	...unusable(not('Austria'), 'AT', '0123 123 123'),
	...unusable(none, 'GB', '0000000000'),
	...unusable(
		'has no country code. Write it as +4915112345678, or choose a Default Country',
		'',
		'0171 3920001',
	),
	...unusable('has no country code. Did you mean +447400123456?', '', '447400123456'),
	...unusable(none, '', '+49 151', '+491511234567890123'),
	...unusable(none, 'DE', 'unknown'),
	...unusable(
		"has no country code, and Default Country is 'Deutschland'",
		'Deutschland',
		'0171 3920001',
	),
];

/** What Sender Mobile accepts besides a number. */
export const senders: readonly ValueRow[] = [
	...eachAs('+491701234567', '+49 170 1234567'),
	...eachAsIs('100', '12345678', '01234', 'ACME', 'Acme Market', 'H&M', '7-Eleven'),
	['a short code as a number', 72345, '72345'],
	...eachAs('72345', '72345.0', '٧٢٣٤٥'),
];
