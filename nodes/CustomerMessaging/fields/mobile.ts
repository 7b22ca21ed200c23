import type { CountryCode, PhoneNumber } from 'libphonenumber-js/core';
import { z } from 'zod/v3';

import { quoted, say, type Sentence } from '../shared/formatting';
import { convertedFrom } from './convert';
import { type Field, type FieldOptions, type FieldConfig, fieldForm } from './field';
import type * as Library from './phoneLibrary';
import { asciiDigits, textOrId, withoutInvisible } from './text';

const notation =
	'A phone number with + or 00 and its country code; with Default Country, also without';

const example = '+4915112345678';

export const numberWithCountry = 'With country code, or set Default Country';

/** A phone number (spec §2.1), sent in E.164. */
export function mobile(displayName: string, config: FieldConfig): Field<string> {
	return phoneField(displayName, config, notation);
}

/** The sender of an SMS (spec §2.4): a phone number, or a short code or name that is sent as given. */
export function senderMobile(displayName: string, config: FieldConfig): Field<string> {
	const rule = `${notation}. Or a short code of 3 to 8 digits, or a name of up to 11 letters, digits, spaces and & . - _ + ' !`;
	const field = phoneField(displayName, config, rule, (written) => {
		const code = withPlainDigits(written);
		if (/^\d{3,8}$/.test(code)) return code;
		return senderName.test(written) ? written : undefined;
	});
	return {
		...field,
		schemaWith: (options) => (options.isCountryOfRow ? field.schema : field.schemaWith(options)),
	};
}

/**
 * A sender's name, shown in place of a number: up to 11 characters of the networks' alphabet, at least one of them
 * a letter. A number that a spreadsheet shortened, such as 9.87E+09, is not a name.
 */
const senderName = /^(?=.*\p{L})(?!\d[\d.,]*[Ee]\+?\d+$)[A-Za-z0-9À-ÖØ-öø-ÿ&.'!_+ -]{1,11}$/u;

/** Returns why a number is refused and what to do, worded to follow the number. */
function explain(refusal: Refusal, options?: FieldOptions): Sentence | string {
	const write = `Write it as ${example}`;
	if (refusal === 'unknown') return `is not a phone number with country code. ${write}`;
	const { defaultCountry = '' } = options ?? {};
	const country = readCountry(defaultCountry);
	if (!country && defaultCountry !== '')
		return say`has no country code, and Default Country is ${quoted(defaultCountry)}. ${write}, or correct the country to two letters, such as DE`;
	if (!country)
		return `has no country code. ${write}${options ? ', or choose a Default Country under Options' : ''}`;
	const name = englishNames.of(country);
	return refusal === 'landline'
		? `may be a landline of ${name}, or a number whose plus is missing. Write it with its plus and country code`
		: `is not a phone number of ${name}. ${write}`;
}

function phoneField(
	displayName: string,
	config: FieldConfig,
	rule: string,
	sentAsGiven: (written: string) => string | undefined = () => undefined,
) {
	/** Without options, it is the schema for a credential. */
	const schemaWith = (options?: FieldOptions) => {
		const country = readCountry(options?.defaultCountry);
		return convertedFrom(textOrId(displayName), (given, context) => {
			const written = String(given);
			const asGiven = sentAsGiven(written);
			if (asGiven !== undefined) return asGiven;
			const read = readPhone(written, country);
			if ('number' in read) return read.number;
			context.addIssue(say`${displayName} ${quoted(written)} ${explain(read.refusal, options)}`);
			return z.NEVER;
		});
	};
	return {
		...fieldForm(displayName, 'string', '', { placeholder: `e.g. ${example}`, ...config }),
		rule,
		holdsNumber: true,
		schema: schemaWith(),
		schemaWith,
	} satisfies Field<string>;
}

/** Loads the library on first use, because most runs contain no phone number. */
function parse(text: string, country?: CountryCode): PhoneNumber | undefined {
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- a static import would load it at once, and a dynamic one cannot be used where fields are checked
	return (require('./phoneLibrary') as typeof Library).parse(text, country);
}

/** Separators of groups of digits. A bracket, dot or slash before a single last digit begins another number. */
const separators = /[\t\p{Zs}\p{Pd}\u2212\u30fb\u30fc]|[()[\]/.\u00b7\u2219](?!\s?\d\W*$)/gu;

/** The plus and 15 digits. German numbers could be longer. */
const maxLength = 16;

/** Maximum length as written, with separators. Longer text would take long to search. */
const maxWritten = 100;

/** `national`: it has no country code, and no country is given or the number is not valid there. */
type Refusal = 'national' | 'landline' | 'unknown';

/**
 * Reads a phone number as people and programs write it.
 *
 * A number with a country code only needs a possible length, because the library does not know the newest ranges.
 * A national number must be valid, because adding a country code to other digits makes up a new number.
 *
 * @param country the country of numbers without a country code; without it, a number must begin with + or 00
 */
export function readPhone(
	written: string,
	country?: CountryCode,
): { number: string } | { refusal: Refusal } {
	const text = written.length > maxWritten ? '' : withPlainDigits(written);
	const digits = text.replace(separators, '');
	if (!/^\+?\d{3,20}$/.test(digits)) return { refusal: 'unknown' };
	const isInternational = /^(?:\+|00)/.test(digits);
	const withPlus = isInternational ? parse(digits.replace(/^00/, '+')) : undefined;
	// The zero in +44 (0)20 is dropped. Some countries have no such zero, so the result must be valid.
	const isCertain = /\(\s?0\s?\)/.test(text) ? withPlus?.isValid() : withPlus?.isPossible();
	if (withPlus && isCertain && withPlus.number.length <= maxLength)
		return { number: withPlus.number };

	// Some countries dial a prefix other than 00, such as 0011 in Australia.
	const national = country && !digits.startsWith('+') ? parse(digits, country) : undefined;
	if (!national?.isValid() || national.number.length > maxLength)
		return { refusal: isInternational ? 'unknown' : 'national' };
	// Spreadsheets drop the plus, so a landline may be an international number without it.
	const isLandline = national.getType() === 'FIXED_LINE' && !digits.startsWith('0');
	const complete = isLandline ? parse(`+${digits}`) : undefined;
	const isOwn = digits.startsWith(national.countryCallingCode);
	const isMobile = complete?.getType() === 'MOBILE';
	if (!isLandline || (!isOwn && !isMobile)) return { number: national.number };
	return isOwn && isMobile ? { number: complete.number } : { refusal: 'landline' };
}

/**
 * Removes characters that spreadsheets, lead forms and links add to a number, and converts digits of all
 * scripts to ASCII.
 */
function withPlainDigits(written: string): string {
	return asciiDigits(written)
		.replace(/[\uff01-\uff5e]/g, (sign) => sign.normalize('NFKC'))
		.trim()
		.replace(/^['\u2018\u2019]?\s*(?:(?:tel|p):)?\s*/i, '')
		.replace(/^([^.,]+)[.,]00?$/, '$1');
}

/**
 * The countries that libphonenumber-js knows, by name. A test compares them with the library, which is too large to
 * load for a form.
 */
const list = `
AF AX AL DZ AS AD AO AI AG AR AM AW AC AU AT AZ BS BH BD BB BY BE BZ BJ BM BT BO BA BW BR IO VG BN
BG BF BI KH CM CA CV BQ KY CF TD CL CN CX CC CO KM CG CD CK CR CI HR CU CW CY CZ DK DJ DM DO EC EG
SV GQ ER EE SZ ET FK FO FJ FI FR GF PF GA GM GE DE GH GI GR GL GD GP GU GT GG GN GW GY HT HN HK HU
IS IN ID IR IQ IE IM IL IT JM JP JE JO KZ KE KI XK KW KG LA LV LB LS LR LY LI LT LU MO MG MW MY MV
ML MT MH MQ MR MU YT MX FM MD MC MN ME MS MA MZ MM NA NR NP NL NC NZ NI NE NG NU NF KP MK MP NO OM
PK PW PS PA PG PY PE PH PL PT PR QA RE RO RU RW WS SM ST SA SN RS SC SL SG SX SK SI SB SO ZA KR SS
ES LK BL SH KN LC MF PM VC SD SR SJ SE CH SY TW TJ TZ TH TL TG TK TO TT TA TN TR TM TC TV VI UG UA
AE GB US UY UZ VU VA VE VN WF EH YE ZM ZW`;

const englishNames = new Intl.DisplayNames('en', { type: 'region' });

/** The countries for Default Country, with their English names. */
export const countries = list
	.trim()
	.split(/\s/)
	.map((value) => ({ value, name: englishNames.of(value) ?? value }));

const codes = new Set(countries.map(({ value }) => value));

/** Reads an ISO country code, in upper or lower case; undefined for any other text. */
export function readCountry(text = ''): CountryCode | undefined {
	const code = withoutInvisible(text).toUpperCase();
	if (code === 'UK') return 'GB';
	return codes.has(code) ? (code as CountryCode) : undefined;
}
