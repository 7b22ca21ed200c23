/** Something the reader can put right: shown as its sentence alone, without a stack. */
export class Problem extends Error {}

export function explain(error: unknown): string {
	if (error instanceof Problem) return error.message;
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
