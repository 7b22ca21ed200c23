/** What the figures cannot say themselves; the report puts it beside them. */
export interface Notes {
	/** By the number of a part: why a target was not reached, and what the limit is. */
	parts: Record<number, string>;
	/** What was changed to make it faster, and what each change gained, as measured by part 1 before and after it. */
	gains: Array<{ change: string; before: string; after: string }>;
}

export const notes: Notes = {
	parts: {},
	gains: [],
};
