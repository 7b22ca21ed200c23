import type { INodePropertyOptions } from 'n8n-workflow';

import { given } from '../shared/formatting';
import type { FormParameter } from './field';

/** A parameter of the form with a list to choose from. */
export type Choice = Pick<FormParameter, 'displayName' | 'options' | 'noDataExpression'>;

/**
 * Says that a value is none of a parameter's choices. People know these by their labels. Only an
 * expression has to give what n8n stores for them, so that is added where expressions are possible.
 */
export function unknownChoice(
	{ displayName, options = [], noDataExpression }: Choice,
	value: unknown,
): string {
	const choices = options.filter((option): option is INodePropertyOptions => 'value' in option);
	const labels = joinNames(choices.map(({ name }) => name));
	const message = `${displayName} cannot be ${given(value)}. Choose ${labels}`;
	if (noDataExpression) return message;
	return `${message}. In an expression, write ${joinNames(choices.map((choice) => String(choice.value)))}`;
}

/** `Android, iOS or Web`. */
function joinNames(names: readonly string[]): string {
	const last = names.slice(-1);
	return [names.slice(0, -1).join(', '), ...last].filter(Boolean).join(' or ');
}
