/** Invalid input: the parameter's name, and a message that says what is wrong and how to fix it. */
export interface Problem {
	field: string;
	message: string;
}

export function isProblem(value: unknown): value is Problem {
	return typeof value === 'object' && value !== null && 'field' in value && 'message' in value;
}
