import { z } from 'zod/v3';

import { quote } from '../shared/formatting';
import { convertedFrom } from './convert';
import { nameCountry } from './country';
import { type Field, type FieldOptions, type FieldConfig, fieldForm } from './field';
import { type CountryCode, isLocal, isNational, toE164, wrongLength } from './phone';
import { textOrId } from './text';

const notation =
	'A phone number with + or 00 and its country code; with Default Country, also without';

/** A phone number (spec §2.1), sent in E.164. */
export function mobile(displayName: string, config: FieldConfig): Field<string> {
	return phoneField(displayName, config, notation);
}

/** The sender of an SMS (spec §2.4): a phone number, or a short code or name that is sent as given. */
export function senderMobile(displayName: string, config: FieldConfig): Field<string> {
	const rule = `${notation}. Or a short code of 3 to 8 digits, or a name of up to 11 letters, digits, spaces and & . - _ + ' !`;
	return phoneField(displayName, config, rule, shortCodeOrName);
}

/** Networks show a name in place of a number: up to 11 characters of their alphabet, one of them a letter. */
const shortCodeOrName = /^(?:\d{3,8}|(?=.*\p{L})[A-Za-z0-9À-ÖØ-öø-ÿ&.'!_+ -]{1,11})$/u;

function reasonFor(written: string, country: CountryCode | undefined): string {
	if (country && isLocal(written, country))
		return `is shorter than mobile numbers in ${nameCountry(country)}, so its first digits may be missing, such as the area code`;
	const wrong = wrongLength(written);
	if (!wrong) return 'is not a mobile number with country code';
	const where = wrong.country ? ` (${nameCountry(wrong.country)})` : '';
	return `is too ${wrong.length} for +${wrong.callingCode}${where}`;
}

function phoneField(
	displayName: string,
	config: FieldConfig,
	rule: string,
	sentAsGiven?: RegExp,
): Field<string> {
	const schemaWith = ({ defaultCountry }: FieldOptions) =>
		convertedFrom(textOrId(displayName), (given, context) => {
			const written = String(given);
			if (sentAsGiven?.test(written)) return written;
			const number = toE164(written, defaultCountry);
			if (number) return number;
			const what = `${displayName} ${quote(written)} ${reasonFor(written, defaultCountry)}`;
			const needsCountry = isNational(written) && !defaultCountry;
			const orChoose = needsCountry ? ', or choose a Default Country under Options' : '';
			context.addIssue(`${what}. Write it as +4915112345678${orChoose}`);
			return z.NEVER;
		});
	return {
		...fieldForm(displayName, 'string', '', { placeholder: 'e.g. +4915112345678', ...config }),
		rule,
		schema: schemaWith({}),
		schemaWith,
	};
}
