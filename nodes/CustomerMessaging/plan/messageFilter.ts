import { type Fields, isRecord } from '../fields/field';
import type { N8n } from '../n8n/context';
import type { NodeMemory } from '../n8n/memory';
import { type Checked, declaredFields, type Operation, type Row } from '../operations/operation';
import { differingFields } from '../run/differs';
import { OnlyRecipients } from '../run/onlyRecipients';
import type { Run } from '../run/resolveRun';
import type { Body, Delivery } from '../shared/delivery';
import type { EndingOf, Problem } from '../shared/ending';
import { nameAudience, quoted, say, type Sentence } from '../shared/formatting';
import { otherBranches } from './branches';
import { makeConsent } from './consent';
import { memoryKey, messageKey } from './identity';

type Parameters = Row['parameters'];

/** Safety limits that leave out messages to single people, in the order in which they apply. */
export function makeMessageFilter(run: Run, n8n: N8n) {
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
		refuse(checked: Checked, parameters: Parameters): Checked {
			const deliveries = 'deliveries' in checked ? checked.deliveries : [];
			const problems = [
				...consent.refuse(parameters),
				...switches.flatMap((one) => refuseOthers(deliveries, parameters, one, operation)),
			];
			if (problems.length === 0) return checked;
			return { problems: 'problems' in checked ? checked.problems.concat(problems) : problems };
		},
		/** Says why a message is left out; undefined if it is kept. */
		leaveOut(delivery: Delivery, parameters: Parameters): EndingOf<'skipped'> | undefined {
			const { audience, itemIndex } = delivery;
			if (mode.kind === 'test') testedItem ??= itemIndex;
			if (audience !== undefined || itemIndex === testedItem) return undefined;
			if (only && !operation.reachesNobody && !isAllowed(delivery, only, fields))
				return { kind: 'skipped', code: 'recipientNotAllowed' };
			if (consent.isDenied(parameters)) return { kind: 'skipped', code: 'noConsent' };
			const found = same?.find(delivery);
			if (!found) return undefined;
			const { firstItem, isInOtherBranch } = found;
			const code = isInOtherBranch ? 'sameInOtherBranch' : 'sameMessage';
			return { kind: 'skipped', code, values: { firstItem } };
		},
	};
}

/** Returns true if a list of the credential holds the recipient of a message, or the user of an event. */
export function isAllowed(
	{ to, userID, buildBody }: Delivery,
	only: OnlyRecipients,
	fields: Fields,
): boolean {
	const [key = 'userID'] = Object.keys(to ?? {});
	// `to` holds an address as entered, the body as it is sent.
	const body: Body = { userID, ...buildBody() };
	return only.allows(body[key], fields[key]);
}

/** A switch of the credential under which messages reach nobody but their recipient. */
interface Switch {
	name: string;
	label: string;
	/** Other people who may be reached. */
	only: OnlyRecipients;
	/** The end of a sentence that refuses anybody else. */
	unlisted: string;
	advice: string;
}

function switchesOn({ operation, account, mode }: Run): Switch[] {
	// A test reaches nobody but the test recipient.
	if (mode.kind === 'test') return [];
	const { onlyRecipients, requireConsent } = account;
	const switches: Switch[] = [];
	if (onlyRecipients)
		switches.push({
			name: 'limitRecipients',
			label: 'Only These Recipients',
			only: onlyRecipients,
			unlisted: 'is not in its list',
			advice: 'It is for trying out: use another credential to send it',
		});
	if (requireConsent && operation.isMessage && !operation.isBroadcast)
		switches.push({
			name: 'requireConsent',
			label: 'Require Consent',
			only: new OnlyRecipients(''),
			unlisted: 'is not known to have agreed',
			advice:
				"Send to each person by an item of its own, with 'Consent' under Additional Fields. To reach colleagues, use another credential",
		});
	return switches;
}

/** Refuses fields through which a message could reach people other than its recipient. */
function refuseOthers(
	deliveries: readonly Delivery[],
	{ additionalFields }: Parameters,
	{ name: own, label: on, only, unlisted, advice }: Switch,
	operation: Operation,
): Problem[] {
	const [first] = deliveries;
	if (!first) return [];
	const refuse = (field: string, what: string | Sentence): Problem => ({
		field,
		...say`'${on}' is on in the credential, and ${what}. ${advice}`,
	});
	const { audience, to = {} } = first;
	if (audience !== undefined)
		return [refuse(own, `this would reach ${nameAudience({ audience })}`)];
	if (operation.path === undefined)
		return [refuse(own, 'the node cannot tell whom a custom request reaches')];
	const declared = declaredFields(operation);
	if (operation.waits && !isAllowed(first, only, declared))
		return [refuse(own, `the recipient of this question ${unlisted}`)];
	// Keys that are added as JSON do not declare whom they reach.
	const extra = Object.entries(isRecord(additionalFields) ? additionalFields : {}).filter(
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
			.find((address) => !only.allows(address, field));
		return other === undefined ? [] : [refuse(key, say`${label} ${quoted(other)} ${unlisted}`)];
	});
}

type Same = NonNullable<NodeMemory['leftOut']>['messages'][string];

/** Finds the first item whose message is the same in everything. Undefined if messages are not compared. */
function sameMessages(run: Run, n8n: N8n) {
	const { operation, settings, mode } = run;
	// With Send Once, its keys decide. Each call of an agent is meant.
	if (!operation.isMessage || settings.sendOnce || settings.sendDuplicates || n8n.isTool)
		return undefined;
	const { context, runIndex } = n8n.memory();
	const differing = [...differingFields(operation, n8n).values()];
	const mayDiffer = mode.kind === 'send' && differing.some(({ often }) => often === 'eachRun');
	// A retry must leave out the same messages, even if they now differ.
	if (mayDiffer && context.leftOut?.runIndex !== runIndex)
		context.leftOut = { runIndex, messages: {} };
	const before = (mayDiffer && context.leftOut?.messages) || {};
	const itemOfOtherBranch = otherBranches(n8n);
	const firsts = new Map<string, number>();
	const compare = (key: string, itemIndex: number): Same | undefined => {
		const other = itemOfOtherBranch?.(key);
		if (other !== undefined) return { firstItem: other, isInOtherBranch: true };
		const firstItem = firsts.get(key);
		if (firstItem === undefined) firsts.set(key, itemIndex);
		return firstItem === undefined ? undefined : { firstItem };
	};
	return {
		mayDiffer,
		find(delivery: Delivery): Same | undefined {
			delivery.sameKey = messageKey(delivery, run);
			const place = memoryKey(delivery, false) ?? '';
			const same = before[place] ?? compare(delivery.sameKey, delivery.itemIndex);
			if (same && mayDiffer) before[place] = same;
			return same;
		},
	};
}
