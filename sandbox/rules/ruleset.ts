import type { JsonObject, Problem } from '../terms';
import { isObject } from '../terms';
import type { Check } from './checks';

export interface Ruleset {
	fields: Record<string, Check>;
	required: string[];
	/** At least one of these is required. */
	oneOf?: string[];
	/** Keys that are not permitted, each with the reason. */
	refused?: Record<string, string>;
}

export type BodyCheck = (body: unknown) => Problem[];

/** Unknown keys are accepted, because the spec does not forbid them. */
export function bodyCheck({ fields, required, oneOf = [], refused = {} }: Ruleset): BodyCheck {
	const checks = new Map(Object.entries(fields));
	const reasons = new Map(Object.entries(refused));

	return (body) => {
		if (!isObject(body)) return [{ path: '', rule: 'must be a JSON object' }];

		const problems: Problem[] = [];
		for (const key of required) {
			if (isMissing(body, key)) problems.push({ path: key, rule: 'is required' });
		}
		if (oneOf.length > 0 && oneOf.every((key) => isMissing(body, key))) {
			problems.push({ path: oneOf.join(' / '), rule: 'one of these is required' });
		}
		for (const key of Object.keys(body)) {
			const rule = reasons.get(key) ?? checks.get(key)?.(body[key]);
			if (rule !== undefined) problems.push({ path: key, rule });
		}
		return problems;
	};
}

function isMissing(body: JsonObject, key: string): boolean {
	return !Object.hasOwn(body, key) || body[key] === '';
}
