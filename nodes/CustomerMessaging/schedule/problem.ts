/** One thing that keeps a schedule from being used: the parameter's name and what to do about it. */
export interface Problem {
	field: string;
	message: string;
}

export function isProblem(value: unknown): value is Problem {
	return typeof value === 'object' && value !== null && 'field' in value && 'message' in value;
}
