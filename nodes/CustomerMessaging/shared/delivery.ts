export const platforms = ['android', 'ios', 'web'] as const;
export type Platform = (typeof platforms)[number];

/** A JSON object on its way to the service. */
export type Body = Record<string, unknown>;

/** When the service is to send a message. */
export type Schedule =
	| { kind: 'now' }
	| { kind: 'delay'; seconds: number }
	/** `zone` is the one the time was chosen in, `hint` says what was decided about a doubled time. */
	| { kind: 'at'; instantMs: number; zone: string; hint?: string };

/** One thing to deliver: one request, or one element of a batch. */
export interface Delivery {
	itemIndex: number;
	platform?: Platform;
	userID?: string;
	path: string;
	/** The body, or the batch's element, before the schedule's fields. */
	body: Body | unknown[];
	/** What stands beside the list in a batch's body. */
	envelope?: Body;
	schedule?: Schedule;
	/** Whom a broadcast reaches, in words: `everyone` or `segment 42`. */
	audience?: string;
}

/** Which request of a run a delivery went out with, and how many that request carried. */
export interface Batch {
	index: number;
	size: number;
}

/** A request as it was sent, where the user asked to see it. */
export interface SentRequest {
	method: 'POST';
	url: string;
	body: unknown;
}
