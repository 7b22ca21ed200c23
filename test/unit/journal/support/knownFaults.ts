/**
 * Faults that are known and not repaired yet, so random histories leave them out. Whoever repairs one removes
 * its line, and what refers to it. With `KNOWN_FAULTS=1`, histories contain them.
 */
const faults = {
	/** For several messages to one recipient, keys of Send Once decide which of them were sent, also if they differ in a retry. */
	'keys decide for several messages': true,
	/** An event is known by its content, so a retry without memory sends it again if its text differs. */
	'events are known by their content': true,
	/** A retry takes the period of Send Once in which the execution began, its first attempt that in which the node ran. */
	'a retry takes another period': true,
	/** Of two executions of one millisecond, one that loses the lock during its first claim says that it sent what the other one sent. */
	'a twin that loses the lock is taken for the other': true,
	/** A `Date` in a key changes its spelling once n8n has stored it. */
	'a date changes its spelling': true,
};

export function isLeftOut(fault: keyof typeof faults): boolean {
	return faults[fault] && process.env.KNOWN_FAULTS === undefined;
}
