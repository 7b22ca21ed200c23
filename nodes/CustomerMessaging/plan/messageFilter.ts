import { readConsent, unclearConsent } from '../fields/values';
import { asRecord, audienceKeys, type Fields, isRecord } from '../fields/field';
import type { N8n } from '../n8n/context';
import { declaredFields, type Operation, type Row } from '../operations/operation';
import { isPlainPath, keysOf } from '../run/expressions';
import { recipientList } from '../run/account';
import type { Run } from '../run/resolveRun';
import type { Body, Delivery } from '../shared/delivery';
import {
	type EndingOf,
	isNotLookedUp,
	mayBeDelivered,
	type Problem,
	type Result,
} from '../shared/ending';
import { quoted, say, type Sentence } from '../shared/formatting';
import { memoryKey, messageKey } from './identity';
import { onlyPart } from './placeholders';

type Source = Pick<N8n, 'raw' | 'isTool' | 'memory' | 'branch'>;

/** Safety limits that leave out messages to single people, in the order in which they apply. */
export function makeMessageFilter(run: Run, n8n: Source) {
	const { operation, account, mode } = run;
	const fields = declaredFields(operation);
	const consent = makeConsent(run, n8n);
	const { onlyRecipients: only } = account;
	const switches = switchesOn(run);
	const same = sameMessages(run, n8n);
	let testedItem: number | undefined;
	return {
		/** True if messages that are equal now may differ in the next attempt, or the other way round. */
		mayDiffer: same?.mayDiffer === true,
		consentWarning: consent.warning,
		/** Refuses a row that the safety limits cannot judge, or must not let pass. */
		refuse: (deliveries: readonly Delivery[], parameters: Row['parameters']) => [
			...consent.refuse(parameters),
			...switches.flatMap((one) => refuseOthers(deliveries, parameters, one, operation)),
		],
		/** Says why a message is left out; undefined if it is kept. */
		leaveOut(delivery: Delivery, parameters: Row['parameters']): EndingOf<'skipped'> | undefined {
			const { audience, itemIndex } = delivery;
			if (mode.kind === 'test') testedItem ??= itemIndex;
			if (audience !== undefined || itemIndex === testedItem) return undefined;
			if (only && !operation.reachesNobody && !isAllowed(delivery, only, fields))
				return { kind: 'skipped', code: 'recipientNotAllowed' };
			if (consent.isDenied(parameters)) return { kind: 'skipped', code: 'noConsent' };
			return same?.find(delivery);
		},
	};
}

/** Returns true if a list of the credential holds the recipient of a message, or the user of an event. */
export function isAllowed(
	{ to, userID, buildBody }: Delivery,
	only: ReturnType<typeof recipientList>,
	fields: Fields,
): boolean {
	const [key = 'userID'] = Object.keys(to ?? {});
	// `to` holds an address as entered, the body as it is sent.
	const body: Body = { userID, ...buildBody() };
	return only(body[key], fields[key]);
}

/** The switches of the credential that are on, and under which messages reach nobody but their recipient. */
function switchesOn({ operation, account, mode }: Run) {
	const limitRecipients = account.onlyRecipients && {
		name: 'limitRecipients',
		label: 'Only These Recipients',
		/** Other people who may be reached. */
		only: account.onlyRecipients,
		/** The end of a sentence that refuses anybody else. */
		unlisted: 'is not in its list',
		advice: 'It is for trying out: use another credential to send it',
	};
	const isJudged = account.requireConsent && operation.isMessage && !operation.isBroadcast;
	const requireConsent = isJudged && {
		name: 'requireConsent',
		label: 'Require Consent',
		only: recipientList(''),
		unlisted: 'is not known to have agreed',
		advice:
			"Send to each person by an item of its own, with 'Consent' under Additional Fields. To reach colleagues, use another credential",
	};
	// A test reaches nobody but the test recipient.
	return mode.kind === 'test' ? [] : [limitRecipients, requireConsent].flatMap((one) => one || []);
}

/** Refuses fields through which a message could reach people other than its recipient. */
function refuseOthers(
	deliveries: readonly Delivery[],
	{ additionalFields }: Row['parameters'],
	{ name: own, label: on, only, unlisted, advice }: ReturnType<typeof switchesOn>[number],
	operation: Operation,
): Problem[] {
	const [first] = deliveries;
	if (!first) return [];
	const refuse = (field: string, what: string | Sentence): Problem => ({
		field,
		...say`'${on}' is on in the credential, and ${what}. ${advice}`,
	});
	const { audience, to = {} } = first;
	if (audience !== undefined) return [refuse(own, `this would reach ${audience}`)];
	if (operation.path === undefined)
		return [refuse(own, 'the node cannot tell whom a custom request reaches')];
	const declared = declaredFields(operation);
	if (operation.waits && !isAllowed(first, only, declared))
		return [refuse(own, `the recipient of this question ${unlisted}`)];
	// Keys that are added as JSON do not declare whom they reach.
	const extra = Object.entries(asRecord(additionalFields)).filter(
		([name, value]) =>
			declared[name]?.form.type === 'json' &&
			Object.keys(declared[name].schema.safeParse(value).data ?? {}).length > 0,
	);
	const sent = deliveries.flatMap(({ buildBody }) => Object.entries(buildBody()));
	// Most fields are the same on each platform.
	const fields = new Map<string, unknown>([...sent, ...extra]);
	return [...fields].flatMap(([key, value]): Problem[] => {
		const field = declared[key];
		// Keys that the node writes itself, such as the attributes of an event, are not declared.
		if (Object.hasOwn(to, key) || key === 'userID' || !field || field.reaches === 'nobody')
			return [];
		const { displayName: label } = field.form;
		if (!field.holdsAddresses || field.reaches !== 'others')
			return [refuse(key, `${label} could reach other people`)];
		const other = String(value)
			.split(',')
			.find((address) => !only(address, field));
		return other === undefined ? [] : [refuse(key, say`${label} ${quoted(other)} ${unlisted}`)];
	});
}

/** Leaves out messages that are the same in everything as an earlier one. Undefined if they are not compared. */
function sameMessages(run: Run, n8n: Source) {
	const { operation, settings, differing, mode } = run;
	// With Send Once, its keys decide. Each call of an agent is meant.
	if (!operation.isMessage || settings.sendOnce || settings.sendDuplicates || n8n.isTool)
		return undefined;
	const { context, runIndex } = n8n.memory();
	const fields = [...differing.values()];
	const mayDiffer = mode.kind === 'send' && fields.some(({ often }) => often === 'eachRun');
	// A retry must leave out the same messages, even if they now differ.
	if (mayDiffer && context.leftOut?.runIndex !== runIndex)
		context.leftOut = { runIndex, messages: {} };
	const before = (mayDiffer && context.leftOut?.messages) || {};
	const own = n8n.branch();
	const branches = Object.entries((own !== undefined && context.branches) || {});
	const firsts = new Map<string, number>();
	const compare = (key: string, itemIndex: number): EndingOf<'skipped'> | undefined => {
		const other = branches.find(([name, sent]) => name !== own && Object.hasOwn(sent, key));
		if (other)
			return { kind: 'skipped', code: 'sameInOtherBranch', values: { firstItem: other[1][key] } };
		const firstItem = firsts.get(key);
		if (firstItem !== undefined)
			return { kind: 'skipped', code: 'sameMessage', values: { firstItem } };
		firsts.set(key, itemIndex);
		return undefined;
	};
	return {
		mayDiffer,
		find(delivery: Delivery) {
			delivery.sameKey = messageKey(delivery, run);
			const place = memoryKey(delivery, false) ?? '';
			const same = before[place] ?? compare(delivery.sameKey, delivery.itemIndex);
			if (same && mayDiffer) before[place] = same;
			return same;
		},
	};
}

/**
 * Notes the messages that a run sent, or may have sent, for the runs of other branches of the workflow. Rounds of a
 * loop share a branch, and items that return from a later node are meant.
 */
export function noteBranch(results: readonly Result[], n8n: Pick<N8n, 'branch' | 'memory'>): void {
	const compared = results.filter(({ delivery }) => delivery.sameKey !== undefined);
	const sent = compared.filter((one) => mayBeDelivered(one) && !isNotLookedUp(one));
	const own = sent.length > 0 ? n8n.branch() : undefined;
	if (own === undefined) return;
	const branches = (n8n.memory().context.branches ??= {});
	const messages = (branches[own] ??= {});
	for (const { delivery } of sent) messages[delivery.sameKey ?? ''] = delivery.itemIndex;
}

const missingConsent =
	"The credential requires consent for each message to a person. Add 'Consent' under Additional Fields, with the column that says whether the person agreed";

/** Finds messages to people who have not agreed to get them. */
function makeConsent({ operation, account }: Run, { raw }: Pick<N8n, 'raw'>) {
	const isOffered = 'consent' in operation.fields.optional;
	const campaigns = audienceKeys(operation.fields.recipients);
	const untrusted = refuseConsent(raw('additionalFields'));
	const field = 'consent';
	let emptyCount = 0;
	const read = ({ additionalFields }: Row['parameters']) => {
		const given = asRecord(additionalFields);
		const isAdded = isOffered && field in given;
		return { isAdded, given: given.consent, meaning: isAdded ? readConsent(given.consent) : 'yes' };
	};
	return {
		refuse(parameters: Row['parameters']): Problem[] {
			if (!isOffered || campaigns.includes(String(parameters.recipientBy))) return [];
			const { isAdded, given, meaning } = read(parameters);
			const rule = untrusted ?? (account.requireConsent && !isAdded ? missingConsent : undefined);
			if (rule !== undefined) return [{ field, rule, concernsAll: true }];
			if (meaning === 'empty') emptyCount++;
			return meaning ? [] : [{ field, ...unclearConsent(given) }];
		},
		isDenied: (parameters: Row['parameters']) => read(parameters).meaning !== 'yes',
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

/** Words that reverse the meaning of such a name. */
const optedIn =
	/(?<!\bdo )\bnot\b|\b(?:no|non|never|isnt|hasnt|nicht)\b|opt(?:ed)? ?in\b|(?<!\b(?:of|from|for) )\b(?:consent|permission|subscribed|agreed|allowed|accepted)$/;

/** Returns true if a yes in a column is an opt-out, as in `HasOptedOutOfEmail` and `do-not-call`. */
function isOptOut(column: string): boolean {
	const plain = column
		.replace(/[\p{Ll}\d](?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})/gu, '$& ')
		.replace(/[^\p{L}\d]+/gu, ' ')
		.trim()
		.toLowerCase();
	return optedOut.test(plain) && !optedIn.test(plain);
}

/** A fallback that means no. */
const fallback = /(?:\?\?|\|\|)\s*(?:false|0|'no'|"no"|''|"")$/;

/** Says why a stored consent cannot be trusted. Computed code might agree for people who did not. */
function refuseConsent(stored: unknown): string | undefined {
	// The whole collection may be one expression.
	const consent = isRecord(stored) ? stored.consent : stored;
	if (typeof consent !== 'string' || !consent.startsWith('=')) return undefined;
	if (consent === stored && !consent.includes('consent')) return undefined;
	const only = onlyPart(consent);
	if (typeof only === 'string') return undefined;
	const code = only?.code.trim() ?? '';
	const path = code.replace(fallback, '').trimEnd();
	const isFixed = /^(?:true|false|0|1|'(?:yes|no)'|"(?:yes|no)")$/.test(code);
	if (!isPlainPath(path) && !isFixed)
		return 'Consent is computed, so it could agree for people who did not. Enter a fixed value, or one column such as {{ $json.newsletter }}. Compute yes or no in an Edit Fields node before';
	const column = keysOf(path)?.at(-1) ?? '';
	return isOptOut(column)
		? `Consent is {{ ${path} }}, which by its name says who opted out: they would get this, and all others would not. Compute yes or no in an Edit Fields node before`
		: undefined;
}
