/** A value of a row, and exactly what must be sent for it. Both are typed by hand. */
export type ValueRow = readonly [what: string, value: unknown, sent: unknown];

/** A value that is sent as it is. */
export const asIs = (what: string, value: string): ValueRow => [what, value, value];

/** Values that are all sent as they are. */
export const eachAsIs = (...values: string[]) => values.map((value) => asIs(value, value));

/** Values that are all sent alike. */
export const eachAs = (sent: string, ...values: string[]) =>
	values.map((value): ValueRow => [value, value, sent]);
