import type { VirtualClock } from '../../../../../simulation/virtualClock';
import type { Reply } from '../../../../../nodes/CustomerMessaging/shared/result';

interface Element {
	userID: string;
	user_attributes: Record<string, unknown>;
}

/** A service that stores users on a virtual clock, each request after a random time. */
export class UserService {
	/** The attributes of each user, as the last request that was stored left them. */
	readonly users = new Map<string, Record<string, unknown>>();
	/** How often each element was stored. */
	readonly stored = new Map<Element, number>();
	requests = 0;

	/**
	 * @param faults a share of requests that are answered 429, and IDs that make a batch answered 400
	 */
	constructor(
		private readonly clock: VirtualClock,
		private readonly random: () => number,
		private readonly faults: { share429?: number; badIds?: ReadonlySet<string> } = {},
	) {}

	async receive(body: unknown): Promise<Reply> {
		const { nv } = body as { nv: Element[] };
		this.requests++;
		await this.clock.sleep(Math.floor(20 + 780 * this.random()));
		const statusCode = this.statusFor(nv);
		if (statusCode === 200) for (const element of nv) this.store(element);
		await this.clock.sleep(Math.floor(100 * this.random()));
		return { kind: 'answer', statusCode, body: null };
	}

	private statusFor(elements: Element[]): number {
		const { share429 = 0, badIds } = this.faults;
		if (this.random() < share429) return 429;
		return elements.some(({ userID }) => badIds?.has(userID)) ? 400 : 200;
	}

	private store(element: Element): void {
		const { userID, user_attributes: attributes } = element;
		this.users.set(userID, { ...this.users.get(userID), ...attributes });
		this.stored.set(element, (this.stored.get(element) ?? 0) + 1);
	}
}
