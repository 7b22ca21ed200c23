/** The question on the page behind a link, and its possible answers. */
export interface Ask {
	/** The whole question, which the message may have to shorten. */
	text: string;
	/** The title or subject of the message, or its campaign. */
	title: string;
	/** The name of the sender. */
	from?: string;
	/** With the labels of the buttons. Without `decline`, there is only one. */
	answerForm:
		{ kind: 'approval'; approve: string; decline?: string } | { kind: 'freeText'; send?: string };
}

export const platforms = ['android', 'ios', 'web'] as const;
export type Platform = (typeof platforms)[number];

export type Body = Record<string, unknown>;

/** The time at which the service is to send a message. Zones are IANA zones. */
export type Schedule =
	/** `written`: the instant that the body holds nevertheless, once it is known, and the zone it is written in. */
	| { kind: 'now'; written?: { instantMs: number; zone: string } }
	| { kind: 'delay'; seconds: number }
	/** `zone`: the one the time was chosen in. `hint`: how an ambiguous local time was resolved. */
	| { kind: 'at'; instantMs: number; zone: string; hint?: string }
	/** Now if the clock in `zone` is within these hours when it leaves, otherwise when they next begin; in milliseconds after midnight. */
	| { kind: 'within'; fromMs: number; toMs: number; zone: string };

/** A message by its recipient, as a retry knows it. */
export interface Addressed {
	platform?: Platform;
	/** The recipient or audience; the user and name of an event, or the path of a custom request. */
	recipient: string;
	/** A hash of what an event or a custom request says, unless that differs by itself. */
	content?: string;
	/** Numbers the messages of an execution that nothing else tells apart, from 1 on. */
	number: number;
}

/** One message or user to deliver: a whole request, or one element of a batch. */
export interface Delivery extends Partial<Addressed> {
	itemIndex: number;
	userID?: string;
	/** The recipient under the API's own key, such as `user_id` or `segment_id`, or `audience: 'everyone'`. */
	to?: Readonly<Body>;
	path: string;
	/** Builds the body, or the element of a batch, without the schedule's fields. Keep none: emails would fill the memory. */
	buildBody: () => Body | unknown[];
	/** Fields next to the list in the body of a batch. */
	envelope?: Body;
	schedule?: Schedule;
	/** The recipients of a broadcast, in words: `everyone` or `segment Newsletter (ID 7)`. */
	audience?: string;
	/** Identifies the message to Send Once; absent without Send Once. */
	onceKey?: string;
	/** A hash of what it says, if the user's own key identifies it. */
	onceContent?: string;
	/** Identify it to other executions without Send Once; see `plan/keys.ts`. */
	ownKeys?: readonly string[];
	/** True if it is sent even if another execution has sent it under one of `ownKeys`. */
	ignoresKeys?: boolean;
	/** Identifies it among the messages of its execution; absent if they are not compared. */
	sameKey?: string;
	ask?: Ask;
	/** True for a message to the test recipient. */
	test?: true;
}
