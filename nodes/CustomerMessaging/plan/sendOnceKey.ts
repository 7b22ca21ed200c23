import { DateTime } from 'luxon';

import { collectLabels, isEmpty } from '../fields/field';
import { isNobody, LOST, lostCharacter, standsForNone } from '../fields/lost';
import { isExact, rounded } from '../fields/text';
import type { N8n } from '../n8n/context';
import type { Checked, Row } from '../operations/operation';
import { type Differing, differingFields, differsByItself } from '../run/differs';
import type { Run } from '../run/resolveRun';
import type { SendOncePeriod } from '../run/sendOnce';
import type { Delivery } from '../shared/delivery';
import { quote } from '../shared/formatting';
import type { Problem } from '../shared/ending';
import { contentKey, onceKey, spelledKey, wholeContent } from './identity';
import { givenOne, say, type Sentence } from '../shared/sentence';

/** Returns a function that gives the deliveries of a row their keys, and the parameters that it needs. */
export function sendOnceKeys(run: Run, n8n: N8n) {
	const { operation, settings, history, needsOnceKey } = run;
	const parameters = settings.sendOnce ? ['sendOnceKey'] : [];
	if (!settings.sendOnce && !needsOnceKey)
		return { parameters, addKeys: (checked: Checked) => checked };
	const ofKey = differsByItself(n8n.raw('sendOnceKey'));
	const ofField = [...differingFields(operation, n8n)].find(([, { often }]) => often === 'eachRun');
	// A retry belongs to the period of the first try.
	const period = formatPeriod(settings.sendOncePeriod, history.firstTryMs, n8n.workflowZone);
	const addKey = (delivery: Delivery, key: string): Delivery => ({
		...delivery,
		onceKey: onceKey(run, delivery, period, key === '' ? wholeContent(delivery) : [key]),
		onceContent: key === '' ? undefined : contentKey(delivery),
	});
	/** Why a key cannot tell messages apart. */
	const refuse = (row: Row, key: string, reachesMany: boolean): Problem | undefined => {
		const value = row.parameters.sendOnceKey;
		const differs = settings.sendOnce && key !== '';
		if (differs && ofKey?.often === 'eachRun') return keyVaries(ofKey.code);
		const refused = keyProblem(value);
		if (refused) return { field: 'sendOnceKey', ...say`Send Once Key ${refused}` };
		if (needsOnceKey && reachesMany && key === '') return keyMissing(n8n.isTool);
		if (!settings.sendOnce || key !== '') return undefined;
		return ofField && fieldVaries(...ofField, collectLabels(operation.form));
	};
	return {
		parameters,
		addKeys: (checked: Checked, row: Row): Checked => {
			const { sendOnceKey } = row.parameters;
			// Empty if the whole request is the key.
			const isKey = !isEmpty(sendOnceKey) && typeof sendOnceKey !== 'object';
			const key = isKey ? spelledKey(sendOnceKey) : '';
			const deliveries = 'deliveries' in checked ? checked.deliveries : [];
			const reachesMany = deliveries.some(({ audience }) => audience !== undefined);
			const refused = refuse(row, key, reachesMany);
			const problems = refused ? [refused] : [];
			if ('problems' in checked) return { problems: [...checked.problems, ...problems] };
			if (problems.length > 0) return { problems };
			if (!settings.sendOnce) return checked;
			return { deliveries: deliveries.map((delivery) => addKey(delivery, key)) };
		},
	};
}

const occasion =
	"a key that changes with each occasion, such as the campaign's name and date: Spring sale {{ $today.toISODate() }}";

function keyMissing(isTool: boolean): Problem {
	const where = isTool ? 'As a tool' : 'In a sub-workflow';
	return {
		field: 'sendOnce',
		rule: `${where}, each call could send this to the same people again. Turn on 'Send Once' and enter ${occasion}. With the period Ever, a fixed key sends once and never again`,
	};
}

function keyVaries(code: string): Problem {
	return {
		field: 'sendOnceKey',
		rule: `Send Once Key contains ${quote(code)}, which differs in each execution, so each one could send this to the same people again. Enter ${occasion}`,
	};
}

function fieldVaries(
	name: string,
	{ code }: Differing,
	labels: Readonly<Record<string, string>>,
): Problem {
	return {
		field: 'sendOnceKey',
		rule: `'${labels[name] ?? name}' contains ${quote(code)}, which differs in each run. Without a key, Send Once compares the whole request, so it would never skip anything. Enter a key, such as an order number`,
	};
}

/** Identifies a calendar period by its first day. The text is empty for `ever`. */
export function formatPeriod(period: SendOncePeriod, nowMs: number, zone: string): string {
	if (period === 'ever') return '';
	return `${period} ${DateTime.fromMillis(nowMs, { zone }).startOf(period).toISODate()}`;
}

/** Refuses a key that does not tell messages apart, because all but the first would be skipped. */
function keyProblem(value: unknown): string | Sentence | undefined {
	if (isEmpty(value)) return undefined;
	if (typeof value === 'number' && !isExact(value)) {
		return Number.isFinite(value)
			? `is ${rounded}`
			: 'is a calculation without a result, for instance because a value is missing. Correct the expression';
	}
	if (!['string', 'number', 'boolean'].includes(typeof value))
		return say`must be text or a number, but it is ${givenOne(value)}`;
	if (String(value).includes(LOST)) return lostCharacter;
	return isNobody(String(value))
		? `${standsForNone(String(value))}, so different messages would count as the same. Correct the expression`
		: undefined;
}
