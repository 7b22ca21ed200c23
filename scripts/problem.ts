/** A problem that the reader can fix. Only its message is shown, without a stack. */
export class Problem extends Error {}

export function explain(error: unknown): string {
	if (error instanceof Problem) return error.message;
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
