import { z } from 'zod/v3';

import { given } from '../shared/formatting';
import { converted } from './convert';
import type { Field } from './field';
import { type FieldConfig, fieldForm } from './fieldForm';
import { isExact } from './text';

/** Any number that can be sent exactly, also as text with a decimal point. Sent as a JSON number. */
export function number(displayName: string, config: FieldConfig): Field<number> {
	return {
		...fieldForm(displayName, 'number', null, config),
		rule: 'A number',
		schema: converted((value, context) => {
			const isText = typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value);
			const found = isText ? Number(value) : value;
			if (isExact(found)) return found;
			context.addIssue(
				typeof found === 'number'
					? `${displayName} is a number too large to be sent exactly. Enter a smaller one`
					: `${displayName} must be a number with a decimal point, such as 49.90, but it is ${given(value)}`,
			);
			return z.NEVER;
		}),
	};
}
