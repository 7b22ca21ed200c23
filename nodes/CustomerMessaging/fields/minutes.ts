import { z } from 'zod/v3';

import { converted } from './convert';
import type { Field } from './field';
import { type FieldConfig, fieldForm } from './fieldForm';

/** A duration in minutes, where 0 means none. */
export function minutes(label: string, config: FieldConfig): Field<number> {
	const typeOptions = { minValue: 0 };
	return {
		...fieldForm(`${label} (Minutes)`, 'number', 0, { typeOptions, ...config }),
		rule: 'Minutes, 0 or more',
		schema: converted((value, context) => {
			const number =
				typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;
			if (typeof number === 'number' && Number.isFinite(number) && number >= 0) return number;
			context.addIssue(`${label} must be a number of minutes, 0 or more`);
			return z.NEVER;
		}),
	};
}
