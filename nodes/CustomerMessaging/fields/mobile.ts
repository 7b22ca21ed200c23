import { z } from 'zod/v3';

import { quoted, say, type Sentence } from '../shared/sentence';
import { convertedFrom } from './convert';
import { nameCountry, readCountry } from './country';
import { type Field, type FieldOptions, type FieldConfig, fieldForm } from './field';
import { readPhone, type Refusal, withPlainDigits } from './phone';
import { textOrId } from './text';

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
		if (shortCode.test(code)) return code;
		return name.test(written) ? written : undefined;
	});
	return {
		...field,
		schemaWith: (options) => (options.isCountryOfRow ? field.schema : field.schemaWith(options)),
	};
}

const shortCode = /^\d{3,8}$/;

/**
 * Networks show a name in place of a number: up to 11 characters of their alphabet, one of them a letter.
 * A number that a spreadsheet shortened, such as 9.87E+09, is not a name.
 */
const name = /^(?=.*\p{L})(?!\d[\d.,]*[Ee]\+?\d+$)[A-Za-z0-9À-ÖØ-öø-ÿ&.'!_+ -]{1,11}$/u;

/** Why a number is refused and what to do, for use after it. */
function explain(refusal: Refusal, options?: FieldOptions): Sentence | string {
	const write = `Write it as ${example}`;
	if (refusal === 'unknown') return `is not a phone number with country code. ${write}`;
	const { defaultCountry = '' } = options ?? {};
	const country = readCountry(defaultCountry);
	if (!country && defaultCountry !== '')
		return say`has no country code, and Default Country is ${quoted(defaultCountry)}. ${write}, or correct the country to two letters, such as DE`;
	if (!country)
		return `has no country code. ${write}${options ? ', or choose a Default Country under Options' : ''}`;
	return refusal === 'landline'
		? `may be a landline of ${nameCountry(country)}, or a number whose plus is missing. Write it with its plus and country code`
		: `is not a phone number of ${nameCountry(country)}. ${write}`;
}

function phoneField(
	displayName: string,
	config: FieldConfig,
	rule: string,
	sentAsGiven: (written: string) => string | undefined = () => undefined,
) {
	/** Without options, it is the field of a credential. */
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
