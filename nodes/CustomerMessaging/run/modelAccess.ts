import { type Declaration, type FormParameter, isRecord, collectLabels } from '../fields/field';
import type { Problem } from '../shared/problem';

/**
 * Refuses parameters that are left to the model of an AI agent although only the user may set them, above
 * all those that decide whom a message reaches.
 *
 * @param raw returns a parameter as stored in the workflow, with its expressions unevaluated
 */
export function leftToModel(
	parameters: readonly FormParameter[],
	raw: (name: string) => unknown,
): Problem[] {
	// Each resource has its own parameter `operation`.
	const labels = collectLabels(parameters);
	const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
	return [...byName.values()].flatMap((parameter) => {
		const value = raw(parameter.name);
		if (parameter.type !== 'collection' || !isRecord(value)) {
			return !parameter.modelMayFill && isLeftToModel(value)
				? [refusal(parameter.name, labels, parameter)]
				: [];
		}
		const options = new Map(
			(parameter.options as FormParameter[]).map((option) => [option.name, option]),
		);
		return Object.entries(value)
			.filter(([name, entry]) => !options.get(name)?.modelMayFill && isLeftToModel(entry))
			.map(([name]) => refusal(name, labels, options.get(name)));
	});
}

/** Whether an expression uses `$fromAI()` in any spelling. Escaped characters could hide it too. */
function isLeftToModel(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=') && /\$fromai|\\[ux]/i.test(value);
	return typeof value === 'object' && value !== null && Object.values(value).some(isLeftToModel);
}

function refusal(
	name: string,
	labels: Readonly<Record<string, string>>,
	{ reaches }: Partial<Declaration> = {},
): Problem {
	const why =
		reaches === 'nobody' ? 'only a person may set it' : 'it decides whom a message reaches';
	return {
		field: name,
		message: `'${labels[name] ?? name}' is left to the model, but ${why}. Set it to a fixed value`,
	};
}
