import { z } from 'zod';

import { converted } from './convert';
import type { Field, Look } from './field';

/** A duration in minutes, where 0 means none. */
export function minutes(label: string, { modelMayFill, ...look }: Look): Field<number> {
	return {
		form: {
			displayName: `${label} (Minutes)`,
			type: 'number',
			default: 0,
			typeOptions: { minValue: 0 },
			...look,
		},
		modelMayFill,
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
