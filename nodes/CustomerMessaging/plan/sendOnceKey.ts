import { createHash } from 'node:crypto';
import { DateTime } from 'luxon';

import { withoutInvisible, isExact, leftoverInKey } from '../fields/text';
import { isEmpty } from '../fields/field';
import type { N8n } from '../n8n/context';
import type { Checked } from '../operations/operation';
import type { Run } from '../run/resolveRun';
import type { SendOncePeriod } from '../run/sendOnce';
import type { Body, Delivery } from '../shared/delivery';
import { given, quote } from '../shared/formatting';
import type { Problem } from '../shared/result';

/** Identifies a recipient or audience. Mail systems ignore case in practice. */
export function identify(to: Readonly<Body>): string {
	return JSON.stringify('email' in to ? { email: String(to.email).toLowerCase() } : to);
}

/** Tells the recipient or audience of a delivery from all others; undefined for an event or a custom request. */
export function identifyRecipient({ to, buildBody }: Delivery): string | undefined {
	if (!to || !('email' in to)) return to && identify(to);
	// `to` is as it was entered, and the body holds the standard form.
	const body = buildBody();
	return identify(Array.isArray(body) ? to : { email: body.email });
}

/** A hash of what a delivery sends to whom. Long texts that begin alike and are equally long count as the same. */
export function hashDelivery({ path, to, buildBody, envelope, schedule, ask }: Delivery): string {
	// The body of a question holds a link that is another one in each execution.
	return hash([path, ask ? [to, ask] : buildBody(), envelope, schedule], shortened);
}

/** The content of an email may be long. Its beginning and length are enough to identify it. */
function shortened(_key: string, value: unknown): unknown {
	return typeof value === 'string' && value.length > 200
		? `${value.slice(0, 200)} ${value.length}`
		: value;
}

/** Two messages with the same key should say the same. Whom they are for is not part of it. */
function hashContent({ buildBody, to = {}, envelope, schedule }: Delivery): string {
	const content = Object.entries(buildBody()).filter(([name]) => !Object.hasOwn(to, name));
	return hash([content, envelope, schedule]).slice(0, 12);
}

export function hash(parts: readonly unknown[], replacer?: typeof shortened): string {
	return createHash('sha256').update(JSON.stringify(parts, replacer)).digest('base64');
}

/** Returns a function that gives the deliveries of a row their keys, and the parameters that it needs. */
export function sendOnceKeys(run: Run, n8n: N8n) {
	const { origin, resource, operation, settings, history, needsOnceKey, isOnceADay } = run;
	const parameters = settings.sendOnce && !isOnceADay ? ['sendOnceKey'] : [];
	if (!settings.sendOnce && !needsOnceKey)
		return { parameters, addKeys: (checked: Checked) => checked };
	const raw = n8n.raw('sendOnceKey');
	const isExpression = typeof raw === 'string' && raw.startsWith('=');
	const varying = isExpression ? varies.exec(raw)?.[0] : undefined;
	// A retry belongs to the period in which the execution began.
	const beganMs = (history.isRetry ? history.establishedAtMs : undefined) ?? n8n.now();
	const period = formatPeriod(settings.sendOncePeriod, beganMs, n8n.workflowZone);
	// An account stays the same if its API key or token is renewed.
	const { brandId } = run.account;
	const account =
		brandId === undefined ? { credentialId: n8n.credentialId(run.credential.type) } : { brandId };
	/** The same message to the same recipient on the same platform of the same account has the same key. */
	const hashKey = (delivery: Delivery, key: string): string => {
		const { path, buildBody, envelope, schedule, userID, platform } = delivery;
		const content = key === '' ? [buildBody(), envelope, schedule] : [key];
		const what = [origin, account, path, resource, operation.value];
		return hash([...what, platform, identifyRecipient(delivery), userID, period, content]);
	};
	const addKey = (delivery: Delivery, key: string): Delivery => {
		if (isOnceADay && delivery.audience === undefined) return delivery;
		const onceContent = key === '' ? undefined : hashContent(delivery);
		return { ...delivery, onceKey: hashKey(delivery, key), onceContent };
	};
	return {
		parameters,
		addKeys: (checked: Checked, { sendOnceKey }: Record<string, unknown>): Checked => {
			const refused = keyProblem(sendOnceKey);
			const problems = refused
				? [{ field: 'sendOnceKey', message: `Send Once Key ${refused}` }]
				: [];
			if ('problems' in checked) return { problems: [...checked.problems, ...problems] };
			if (problems.length > 0) return { problems };
			// Empty if the whole request is the key.
			const key = isEmpty(sendOnceKey)
				? ''
				: withoutInvisible(String(sendOnceKey)).normalize('NFC');
			const { deliveries } = checked;
			const reachesMany = deliveries.some(({ audience }) => audience !== undefined);
			if (needsOnceKey && reachesMany && (key === '' || varying))
				return { problems: [key === '' ? keyMissing(n8n.isTool) : keyVaries(varying)] };
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
		message: `${where}, each call could send this to the same people again. Turn on 'Send Once' and enter ${occasion}. With the period Ever, a fixed key sends once and never again`,
	};
}

function keyVaries(code: string | undefined): Problem {
	return {
		field: 'sendOnceKey',
		message: `Send Once Key contains ${quote(code)}, which differs in each execution, so each call could send this to the same people again. Enter ${occasion}`,
	};
}

/** What in an expression has another value in each execution. `$today` is the same all day. */
const varies =
	/\$execution|\$now|\bDate(?:\.now)?\(\s*\)|\bDateTime\.(?:now|local|utc)\(\s*\)|\bMath\.random/;

/** Identifies a calendar period by its first day. The text is empty for `ever`. */
export function formatPeriod(period: SendOncePeriod, nowMs: number, zone: string): string {
	if (period === 'ever') return '';
	return `${period} ${DateTime.fromMillis(nowMs, { zone }).startOf(period).toISODate()}`;
}

/** Refuses a key that does not tell messages apart, because all but the first would be skipped. */
function keyProblem(value: unknown): string | undefined {
	if (isEmpty(value)) return undefined;
	if (typeof value === 'number' && !isExact(value)) {
		return Number.isFinite(value)
			? 'is a number too large to be exact, so it may stand for other numbers too. Pass it as text'
			: 'is a calculation without a result, for instance because a value is missing. Correct the expression';
	}
	if (!['string', 'number', 'boolean'].includes(typeof value))
		return `must be text or a number, but it is ${given(value)}`;
	const leftover = leftoverInKey(String(value));
	return leftover === undefined
		? undefined
		: `contains ${quote(leftover)}, which an expression leaves where a value is missing, is not text or was not evaluated. Different messages would count as the same. Correct the expression`;
}
