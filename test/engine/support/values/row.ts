/** A value of a row, and exactly what must be sent for it. Both are typed by hand. */
export type ValueRow = readonly [what: string, value: unknown, sent: unknown];
