import { type FormParameter, isRecord, labelsOf } from '../fields/field';
import type { Problem } from '../shared/problem';

/**
 * Refuses parameters that are left to the model of an AI agent although they decide whom or how many
 * people a message reaches. Only the user may set those.
 *
 * @param raw returns a parameter as stored in the workflow, with its expressions unevaluated
 */
export function leftToModel(
	parameters: readonly FormParameter[],
	raw: (name: string) => unknown,
): Problem[] {
	// Each resource has its own parameter `operation`.
	const labels = labelsOf(parameters);
	const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
	return [...byName.values()].flatMap((parameter) => {
		const value = raw(parameter.name);
		if (parameter.type !== 'collection' || !isRecord(value)) {
			return !parameter.modelMayFill && isLeftToModel(value)
				? [refusal(parameter.name, labels)]
				: [];
		}
		const options = new Map(
			(parameter.options as FormParameter[]).map((option) => [option.name, option]),
		);
		return Object.entries(value)
			.filter(([name, entry]) => !options.get(name)?.modelMayFill && isLeftToModel(entry))
			.map(([name]) => refusal(name, labels));
	});
}

/** Whether an expression uses `$fromAI()` in any spelling. Escaped characters could hide it too. */
function isLeftToModel(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=') && /\$fromai|\\[ux]/i.test(value);
	return typeof value === 'object' && value !== null && Object.values(value).some(isLeftToModel);
}

function refusal(name: string, labels: Readonly<Record<string, string>>): Problem {
	return {
		field: name,
		message: `'${labels[name] ?? name}' is left to the model, but it decides whom a message reaches. Set it to a fixed value`,
	};
}
