import { DateTime } from 'luxon';

import { collectLabels, isEmpty } from '../fields/field';
import { isNobody, LOST, lostCharacter, standsForNone } from '../fields/lost';
import { isExact, rounded } from '../fields/text';
import type { N8n } from '../n8n/context';
import type { Checked, Row } from '../operations/operation';
import { differingFields, differsByItself } from '../run/differs';
import type { Run } from '../run/resolveRun';
import type { SendOncePeriod } from '../run/sendOnce';
import { isZone } from '../schedule/localTime';
import type { Delivery } from '../shared/delivery';
import type { Problem } from '../shared/ending';
import { quote, givenOne, say, type Sentence } from '../shared/formatting';
import { contentKey, onceKey, spelledKey, wholeContent } from './identity';

const occasion =
	"a key that changes with each occasion, such as the campaign's name and date: Spring sale {{ $today.toISODate() }}";

/** Returns a function that gives the deliveries of a row their keys of Send Once, or refuses its key. */
export function sendOnceKeys(run: Run, n8n: N8n): (checked: Checked, row: Row) => Checked {
	const { operation, settings, history, needsOnceKey } = run;
	const { sendOnce } = settings;
	if (!sendOnce && !needsOnceKey) return (checked) => checked;
	const varyingKey = differsByItself(n8n.raw('sendOnceKey'));
	const varying = [...differingFields(operation, n8n)].find(([, { often }]) => often === 'eachRun');
	// A retry belongs to the period of the first try.
	const period = formatPeriod(settings.sendOncePeriod, history.firstTryMs, n8n.workflowZone);
	const withKey = (delivery: Delivery, key: string): Delivery => ({
		...delivery,
		onceKey: onceKey(run, delivery, period, key === '' ? wholeContent(delivery) : [key]),
		onceContent: key === '' ? undefined : contentKey(delivery),
	});
	/** Refuses a key that cannot tell messages apart. */
	const refuse = (value: unknown, key: string, reachesMany: boolean): Problem[] => {
		const field = 'sendOnceKey';
		if (sendOnce && key !== '' && varyingKey?.often === 'eachRun') {
			const rule = `Send Once Key contains ${quote(varyingKey.code)}, which differs in each execution, so each one could send this to the same people again. Enter ${occasion}`;
			return [{ field, rule }];
		}
		const refused = keyProblem(value);
		if (refused) return [{ field, ...say`Send Once Key ${refused}` }];
		if (key !== '') return [];
		if (needsOnceKey && reachesMany) {
			const where = n8n.isTool ? 'As a tool' : 'In a sub-workflow';
			const rule = `${where}, each call could send this to the same people again. Turn on 'Send Once' and enter ${occasion}. With the period Ever, a fixed key sends once and never again`;
			return [{ field: 'sendOnce', rule }];
		}
		if (!sendOnce || !varying) return [];
		const [name, { code }] = varying;
		const label = collectLabels(operation.form)[name] ?? name;
		const rule = `'${label}' contains ${quote(code)}, which differs in each run. Without a key, Send Once compares the whole request, so it would never skip anything. Enter a key, such as an order number`;
		return [{ field, rule }];
	};
	return (checked, { parameters: { sendOnceKey: value } }) => {
		// Empty if the whole request is the key.
		const key = isEmpty(value) || typeof value === 'object' ? '' : spelledKey(value);
		const deliveries = 'deliveries' in checked ? checked.deliveries : [];
		const reachesMany = deliveries.some(({ audience }) => audience !== undefined);
		const problems = refuse(value, key, reachesMany);
		if ('problems' in checked) return { problems: [...checked.problems, ...problems] };
		if (problems.length > 0) return { problems };
		return sendOnce ? { deliveries: deliveries.map((one) => withKey(one, key)) } : checked;
	};
}

/** The start of a calendar period. Send Once refuses an unknown zone; days by hand are then those of UTC. */
export function startOfPeriod(
	period: Exclude<SendOncePeriod, 'ever'>,
	nowMs: number,
	zone: string,
): DateTime {
	return DateTime.fromMillis(nowMs, { zone: isZone(zone) ? zone : 'UTC' }).startOf(period);
}

/** Identifies a calendar period by its first day. The text is empty for `ever`. */
export function formatPeriod(period: SendOncePeriod, nowMs: number, zone: string): string {
	return period === 'ever' ? '' : `${period} ${startOfPeriod(period, nowMs, zone).toISODate()}`;
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
