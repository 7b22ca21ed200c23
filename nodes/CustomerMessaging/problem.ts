/** One thing that is wrong: the parameter's name, and a sentence that says so and how to go on. */
export interface Problem {
	field: string;
	message: string;
}

export function isProblem(value: unknown): value is Problem {
	return typeof value === 'object' && value !== null && 'field' in value && 'message' in value;
}

/** What was given, in quotes, on one line and not at any length. */
export function quote(given: unknown): string {
	const line = String(given).replace(/\s+/g, ' ');
	return line.length > 60 ? `'${line.slice(0, 60)}…'` : `'${line}'`;
}
