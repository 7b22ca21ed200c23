import { z } from 'zod/v3';

import type { Ask } from '../shared/ask';

/** The question that an execution asked last, and the link that answers it. */
export interface Asked {
	/** The ID of the execution that the link belongs to. */
	execution: string;
	/** The run of the node in that execution. */
	runIndex: number;
	/** The signature in the link. */
	signature: string;
	ask: Ask;
}

/**
 * What n8n stores for the node with the execution. It is text, because the request for the page reads it
 * through an expression.
 */
export interface AskMemory {
	asked?: string;
}

const schema: z.ZodType<Asked> = z.object({
	execution: z.string(),
	runIndex: z.number(),
	signature: z.string().min(1),
	ask: z.object({
		text: z.string(),
		title: z.string(),
		from: z.string().optional(),
		answerForm: z.discriminatedUnion('kind', [
			z.object({
				kind: z.literal('approval'),
				approve: z.string(),
				decline: z.string().optional(),
			}),
			z.object({ kind: z.literal('freeText'), send: z.string().optional() }),
		]),
	}),
});

export function remember(memory: AskMemory, asked: Asked): void {
	memory.asked = JSON.stringify(asked);
}

/** Returns undefined if nothing was asked. */
export function recallAsked(stored: unknown): Asked | undefined {
	if (typeof stored !== 'string' || stored === '') return undefined;
	return schema.safeParse(JSON.parse(stored)).data;
}

/** The signature in a link to the page. */
export function signatureIn(link: string): string {
	return new URL(link).searchParams.get('signature') ?? '';
}
