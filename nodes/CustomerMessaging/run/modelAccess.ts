import { type FormParameter, isRecord } from '../fields/field';
import type { Problem } from '../shared/problem';

/**
 * Parameters that were left to the model of an AI agent although they decide how many people a
 * message reaches. A person sets them.
 *
 * @param raw a parameter as it is stored in the workflow, with expressions unread
 */
export function leftToModel(
	parameters: readonly FormParameter[],
	raw: (name: string) => unknown,
): Problem[] {
	// Each resource has a parameter `operation` of its own.
	const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
	return [...byName.values()].flatMap((parameter) => {
		const value = raw(parameter.name);
		if (parameter.type !== 'collection' || !isRecord(value)) {
			return !parameter.modelMayFill && isLeftToModel(value) ? [refusal(parameter.name)] : [];
		}
		const known = new Map((parameter.options as FormParameter[]).map((option) => [option.name, option]));
		return Object.entries(value)
			.filter(([name, entry]) => !known.get(name)?.modelMayFill && isLeftToModel(entry))
			.map(([name]) => refusal(name));
	});
}

/** `$fromAI()` in any of n8n's spellings. An escaped character could spell it too. */
function isLeftToModel(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=') && /\$fromai|\\[ux]/i.test(value);
	return typeof value === 'object' && value !== null && Object.values(value).some(isLeftToModel);
}

function refusal(name: string): Problem {
	return {
		field: name,
		message: `'${name}' is left to the model, but it decides whom a message reaches. Set it to a fixed value`,
	};
}
