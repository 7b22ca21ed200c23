/** How much of what is known about other clients is kept from one header to the next. */
const SHARE_KEPT = 0.985;
/** How often the share of others is counted, because they may send more than they did. */
const OTHERS_COUNTED = 2;

/** Estimates how much of the limit other clients of the account use. */
export class OtherClients {
	/** Requests between headers: by us, and by all clients. */
	private own = 0;
	private all = 0;

	/** Takes in what two headers say: so many requests of ours, and so many in all, were counted between them. */
	note(own: number, all: number): void {
		this.own = this.own * SHARE_KEPT + own;
		this.all = this.all * SHARE_KEPT + all;
	}

	/** How many places to leave to others for each request of ours. */
	placesPerRequest(): number {
		return (OTHERS_COUNTED * Math.max(0, this.all - this.own)) / Math.max(1, this.own);
	}
}
