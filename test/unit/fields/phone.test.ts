import { getCountries, Metadata } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/max/metadata';
import examples from 'libphonenumber-js/mobile/examples';

import { countries } from '../../../nodes/CustomerMessaging/fields/country';
import { mobile, senderMobile } from '../../../nodes/CustomerMessaging/fields/mobile';
import {
	type CountryCode,
	shortestMobile,
	toE164,
} from '../../../nodes/CustomerMessaging/fields/phone';
import { parse } from '../../../nodes/CustomerMessaging/fields/phoneLibrary';

const look = { reaches: 'nobody', modelMayFill: true } as const;

describe('A phone number', () => {
	it.each<[string, CountryCode | undefined, string | undefined]>([
		// A prefix from abroad other than 00, read as the country does.
		['011 44 20 7946 0958', 'US', '+442079460958'],
		// 00 means the plus, also in countries that dial something else.
		['0049 170 1234567', 'US', '+491701234567'],
		// The country code of the default country without its plus.
		['4915112345678', 'DE', '+4915112345678'],
		// National numbers that only begin like the country code.
		['9198123456', 'IN', '+919198123456'],
		// Complete both with and without the country code in front of it.
		['486493302', 'PL', '+48486493302'],
		// Complete only as it is.
		['61300711996', 'CC', '+61300711996'],
		// Shorter than mobile numbers there, so the area code may be missing.
		['12345', 'DE', undefined],
		['1234 5678', 'JP', undefined],
		// As short, but complete: with its prefix, or with its country code.
		['030 12345', 'DE', '+493012345'],
		['493012345', 'DE', '+493012345'],
		// Spreadsheets drop the zero of a mobile number, which is long enough.
		['1701234567', 'DE', '+491701234567'],
		// Countries without area codes, where numbers may be shorter than mobile numbers.
		['22 33 44', 'LU', '+352223344'],
		// The country code of another country.
		['302101234567', 'DE', '+49302101234567'],
		// Not valid as far as the library knows, but possible: from abroad, and as the country dials.
		['00951567494404', 'AU', '+951567494404'],
		['00113', 'AU', undefined],
		['009991234567', 'DE', undefined],
		// The zero in brackets is part of the number in some countries only.
		['+39 (0)6 1234 5678', undefined, '+390612345678'],
		['+44 (0) 20 7946 0958', undefined, '+442079460958'],
		['+45 (0)12 34 56 78', undefined, '+4512345678'],
		['+45 (00) 12 34 56 78', undefined, undefined],
		['+225 (0)7 07 07 07 07', undefined, '+2250707070707'],
		// A default country changes nothing about a number with a plus.
		['+1 212 555 0100', 'DE', '+12125550100'],
		['0151 12345678', undefined, undefined],
		// The longest number, and one that is longer.
		['+491511234567890', undefined, '+491511234567890'],
		['+4915112345678901', undefined, undefined],
		['tel:+491701234567', undefined, undefined],
		['+49 170 1234567 ext. 2', undefined, undefined],
		['+49 170 1234567;ext=200', undefined, undefined],
		['+49 170 CALL', 'DE', undefined],
		['', 'DE', undefined],
	])('%s with the default country %s becomes %s', (written, country, number) => {
		expect(toE164(written, country)).toBe(number);
	});

	it('is not searched for within other text', () => {
		expect(parse('+4915112345678')?.number).toBe('+4915112345678');
		expect(parse('Call +4915112345678')).toBeUndefined();
	});

	it.each([
		['+49 151', 'is too short for +49 (Germany)'],
		['+49 151 12345678901234', 'is too long for +49 (Germany)'],
		['+1 20', 'is too short for +1'],
		['+999 1234567', 'is not a mobile number with country code'],
	])('is refused by its length: %s %s', (value, reason) => {
		const field = mobile('Mobile', look);
		expect(field.schema.safeParse(value).error?.issues[0]?.message).toBe(
			`Mobile '${value}' ${reason}. Write it as +4915112345678`,
		);
	});

	it('is refused with a suggestion if only the country or the area code is missing', () => {
		const messageFor = (value: string, defaultCountry?: CountryCode) =>
			mobile('Mobile', look)
				.schemaWith?.({ defaultCountry })
				.safeParse(value)
				.error?.issues.map(({ message }) => message)
				.join();
		expect(messageFor('0170 1234567')).toContain('or choose a Default Country under Options');
		expect(messageFor('12345', 'DE')).toBe(
			"Mobile '12345' is shorter than mobile numbers in Germany, so its first digits may be missing, such as the area code. Write it as +4915112345678",
		);
		expect(messageFor('+49')).not.toContain('Default Country');
		expect(messageFor('12', 'DE')).not.toContain('Default Country');
	});
});

describe('The sender of an SMS', () => {
	const read = (value: unknown, defaultCountry?: CountryCode) =>
		senderMobile('Sender Mobile', look).schemaWith?.({ defaultCountry }).safeParse(value).data;

	it.each([
		['123456789', undefined],
		[72345, '72345'],
		['12 34 56 78', '+4512345678'],
		['Acme', 'Acme'],
		['Café Olé', 'Café Olé'],
		['+4915112345678', '+4915112345678'],
		['12', undefined],
		['Acme Company', undefined],
		['{{name}}', undefined],
	])('%p is sent as %p with Denmark as the default country', (value, sent) => {
		expect(read(value, 'DK')).toBe(sent);
	});
});

test('The form offers all countries that the library knows', () => {
	expect(countries.map(({ value }) => value).sort()).toEqual([...getCountries(metadata)].sort());
	for (const { name } of countries) expect(name).toMatch(/^\p{Lu}[\p{L} .,'&()-]+$/u);
});

describe('The digits of the shortest mobile numbers', () => {
	/** The types of the library leave out a part of what its documentation describes. */
	interface Plan {
		possibleLengths(): number[];
		nationalPrefix(): string | undefined;
		type(name: 'MOBILE'): { possibleLengths(): number[] } | undefined;
	}

	function planOf(country: CountryCode): Plan {
		const all = new Metadata(metadata);
		all.selectNumberingPlan(country);
		return all.numberingPlan as unknown as Plan;
	}

	/** Whether the country writes a prefix, which is not part of the number. */
	function writesPrefix(country: CountryCode): boolean {
		const example = examples[country] ?? '';
		const prefix = planOf(country).nationalPrefix();
		const [plain, prefixed] = [example, `${prefix}${example}`].map((text) => parse(text, country));
		return plain?.number === prefixed?.number && prefixed?.isPossible === true;
	}

	it('are those of the complete library, for all countries that write a prefix and have shorter numbers', () => {
		const expected = getCountries(metadata).flatMap((country) => {
			const plan = planOf(country);
			const digits = Math.min(...(plan.type('MOBILE')?.possibleLengths() ?? []));
			const isLonger = digits > Math.min(...plan.possibleLengths());
			return Number.isFinite(digits) && isLonger && writesPrefix(country)
				? [[country, digits]]
				: [];
		});
		expect(Object.fromEntries(shortestMobile)).toEqual(Object.fromEntries(expected));
		expect(shortestMobile.size).toBe(expected.length);
	});
});
