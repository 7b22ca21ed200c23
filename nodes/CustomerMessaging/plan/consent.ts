import { readConsent, unclearConsent } from '../fields/values';
import { audienceKeys, isRecord } from '../fields/field';
import type { N8n } from '../n8n/context';
import type { Row } from '../operations/operation';
import { isPlainPath, keysOf } from '../run/expressions';
import type { Run } from '../run/resolveRun';
import type { Problem } from '../shared/ending';
import { visibleParts } from './placeholders';

type Parameters = Row['parameters'];

const missing: Problem = {
	field: 'consent',
	rule: "The credential requires consent for each message to a person. Add 'Consent' under Additional Fields, with the column that says whether the person agreed",
	concernsAll: true,
};

/** Finds messages to people who have not agreed to get them. */
export function makeConsent({ operation, account }: Run, { raw }: Pick<N8n, 'raw'>) {
	const isOffered = 'consent' in operation.fields.optional;
	const campaigns = audienceKeys(operation.fields.recipients);
	const untrusted = refuseConsent(raw('additionalFields'));
	let emptyCount = 0;
	const find = ({ additionalFields: fields }: Parameters) =>
		isRecord(fields) && 'consent' in fields ? { value: fields.consent } : undefined;
	return {
		refuse(parameters: Parameters): Problem[] {
			if (!isOffered || campaigns.includes(String(parameters.recipientBy))) return [];
			if (untrusted !== undefined)
				return [{ field: 'consent', rule: untrusted, concernsAll: true }];
			const found = find(parameters);
			if (!found) return account.requireConsent ? [missing] : [];
			const meaning = readConsent(found.value);
			if (meaning === 'empty') emptyCount++;
			return meaning ? [] : [{ field: 'consent', ...unclearConsent(found.value) }];
		},
		isDenied(parameters: Parameters): boolean {
			const found = isOffered ? find(parameters) : undefined;
			return found !== undefined && readConsent(found.value) !== 'yes';
		},
		/** A warning if the consent is empty in all items. */
		warning: (itemCount: number): string | undefined =>
			itemCount > 1 && emptyCount === itemCount
				? `Consent is empty in all ${itemCount} items, so nobody got the message. The column is probably named otherwise: correct its expression`
				: undefined,
	};
}

/** Names of columns for people who opted out. */
const optedOut =
	/opt(?:ed|s)? ?out|unsub|(?:black|block|deny) ?list|blocked|suppress|bounce|complain|withdrawn|revoked|\bdn[cd]\b|\bdo ?not|abgemeldet|abbestellt|desabonn/;

/** Words that reverse the meaning of such a name, or say who agreed. */
const optedIn =
	/(?<!\bdo )\bnot\b|\b(?:no|non|never|isnt|hasnt|nicht)\b|opt(?:ed)? ?in\b|(?<!\b(?:of|from|for) )\b(?:consent|permission|subscribed|agreed|allowed|accepted)$/;

/** Returns true if a yes in a column is an opt-out, as in `HasOptedOutOfEmail` and `do-not-call`. */
function isOptOut(column: string): boolean {
	const words = column
		.replace(/(\p{Ll}|\d)(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$& ')
		.toLowerCase()
		.replace(/[^\p{L}\d]+/gu, ' ')
		.trim();
	return optedOut.test(words) && !optedIn.test(words);
}

/** A fallback that means no. */
const fallback = /(?:\?\?|\|\|)\s*(?:false|0|'no'|"no"|''|"")$/;

/** Says why a stored consent cannot be trusted. Computed code might agree for people who did not. */
function refuseConsent(stored: unknown): string | undefined {
	// The whole collection may be one expression.
	const consent = isRecord(stored) ? stored.consent : stored;
	if (typeof consent !== 'string' || !consent.startsWith('=')) return undefined;
	if (consent === stored && !consent.includes('consent')) return undefined;
	const [only, ...others] = visibleParts(consent);
	if (typeof only === 'string' && others.length === 0) return undefined;
	const code = typeof only === 'object' && others.length === 0 ? only.code.trim() : '';
	const path = code.replace(fallback, '').trimEnd();
	const isFixed = /^(?:true|false|0|1|'(?:yes|no)'|"(?:yes|no)")$/.test(code);
	if (!isPlainPath(path) && !isFixed)
		return 'Consent is computed, so it could agree for people who did not. Enter a fixed value, or one column such as {{ $json.newsletter }}. Compute yes or no in an Edit Fields node before';
	const column = keysOf(path)?.at(-1) ?? '';
	return isOptOut(column)
		? `Consent is {{ ${path} }}, which by its name says who opted out: they would get this, and all others would not. Compute yes or no in an Edit Fields node before`
		: undefined;
}
