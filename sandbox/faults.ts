import { z } from 'zod';
import { seededRandom } from './random';
import { apis, maxDelayMs, platforms, type Channel, type Platform } from './terms';

const statusCode = z.number().int().min(200).max(599);
const howOften = {
	/** Which requests it applies to. All of these must match. */
	match: z
		.object({
			channel: z.enum(apis).optional(),
			platform: z.enum(platforms).optional(),
			path: z.string().optional(),
			/** Found anywhere in the body as it was sent. */
			bodyText: z.string().optional(),
		})
		.strict()
		.optional(),
	/** Lets this many matching requests pass before it checks any other condition. */
	after: z.number().int().min(0).optional(),
	/** Applies only to the first matching requests, up to this number. */
	first: z.number().int().min(1).optional(),
	/** Applies only to every n-th matching request. */
	every: z.number().int().min(1).optional(),
	/** Applies for so many milliseconds: from when it is added or, with `after`, from its first request on. */
	forMs: z.number().int().min(1).optional(),
	/** Applies only to this share of the matching requests, from 0 to 1. */
	probability: z.number().min(0).max(1).optional(),
	seed: z.number().int().optional(),
};

function fault<Kind extends string, Shape extends z.ZodRawShape>(kind: Kind, shape: Shape) {
	return z.object({ kind: z.literal(kind), ...howOften, ...shape }).strict();
}

/** What goes wrong, and whether the service has accepted the request before it does. */
export const faultSchema = z.discriminatedUnion('kind', [
	fault('resetBeforeAccept', {}),
	fault('resetAfterAccept', {}),
	fault('status', { status: statusCode }),
	fault('statusAfterAccept', { status: statusCode }),
	fault('hang', { accepted: z.boolean().optional() }),
	fault('html', { accepted: z.boolean().optional() }),
	/** 200 with a body that says it failed. */
	fault('saysFailed', {
		accepted: z.boolean().optional(),
		body: z.string().max(10_000).optional(),
	}),
	/** By default to the same path with a slash more, or one less. */
	fault('redirect', { to: z.string().min(1).max(2_000).optional() }),
	fault('delay', { delayMs: z.number().int().min(0).max(maxDelayMs) }),
]);

export type Fault = z.infer<typeof faultSchema>;
export type ListedFault = Fault & {
	id: number;
	matched: number;
	struck: number;
	/** When it ends, in epoch milliseconds; absent before it begins, and if it has no end. */
	endsAtMs?: number;
};

export interface Matchable {
	channel: Channel | null;
	platform: Platform | null;
	path: string;
	rawBody: string;
	/** Whether the service would accept the request if nothing went wrong. */
	acceptable: boolean;
}

interface Armed {
	listed: ListedFault;
	random: () => number;
}

/** The faults in the order in which they were added. If several apply, the first one happens. */
export class Faults {
	private armed: Armed[] = [];
	private lastId = 0;

	constructor(private readonly now: () => number = Date.now) {}

	/** @throws ZodError naming what is wrong with the fault */
	add(fault: Fault): number {
		const id = ++this.lastId;
		const listed: ListedFault = { ...faultSchema.parse(fault), id, matched: 0, struck: 0 };
		if (fault.forMs !== undefined && !fault.after) listed.endsAtMs = this.now() + fault.forMs;
		this.armed.push({ listed, random: seededRandom(fault.seed ?? 1) });
		return id;
	}

	/** Those that have not ended. */
	list(): ListedFault[] {
		this.armed = this.armed.filter(({ listed }) => !this.hasEnded(listed));
		return this.armed.map(({ listed }) => ({ ...listed }));
	}

	/** Returns whether the fault existed. */
	remove(id: number): boolean {
		const count = this.armed.length;
		this.armed = this.armed.filter(({ listed }) => listed.id !== id);
		return this.armed.length < count;
	}

	clear(): void {
		this.armed = [];
	}

	strike(request: Matchable): Fault | undefined {
		return this.armed.find(
			(one) => !this.hasEnded(one.listed) && matches(one.listed, request) && this.strikes(one),
		)?.listed;
	}

	private hasEnded({ endsAtMs = Infinity }: ListedFault): boolean {
		return this.now() >= endsAtMs;
	}

	private strikes({ listed, random }: Armed): boolean {
		const { after = 0, first = Infinity, every = 1, probability = 1, forMs } = listed;
		const turn = ++listed.matched - after;
		if (turn < 1 || turn > first || turn % every !== 0) return false;
		if (probability < 1 && random() >= probability) return false;
		listed.struck++;
		if (forMs !== undefined) listed.endsAtMs ??= this.now() + forMs;
		return true;
	}
}

/** Whether the request is accepted before the fault. A delay does not affect that. */
export function acceptsFirst(fault: Fault): boolean {
	if ('accepted' in fault) return fault.accepted === true;
	return fault.kind === 'resetAfterAccept' || fault.kind === 'statusAfterAccept';
}

function matches(fault: Fault, request: Matchable): boolean {
	const { channel, platform, path, bodyText } = fault.match ?? {};
	return (
		(request.acceptable || !acceptsFirst(fault)) &&
		(channel === undefined || channel === request.channel) &&
		(platform === undefined || platform === request.platform) &&
		(path === undefined || path === request.path) &&
		(bodyText === undefined || request.rawBody.includes(bodyText))
	);
}
