/** Below, above or equal to 0. */
export function compareVersions(one: string, other: string): number;

/** Whether a version of Node, by default the running one, is in a range such as `>=20.19 <25`. */
export function suits(range: string, node?: string): boolean;
