import type { Field } from '../../../../nodes/CustomerMessaging/fields/field';

export const look = { reaches: 'nobody', modelMayFill: true } as const;

/** What is sent for a value, or what is wrong with it. */
export function outcomeOf({ schema }: Pick<Field, 'schema'>, value: unknown): unknown {
	const read = schema.safeParse(value);
	return read.success ? read.data : read.error.issues.map(({ message }) => message).join('; ');
}
