/** After so many of our requests, a header that does not count them is ignored. */
const MAX_STRANGE = 8;

/**
 * Recognises an `X-RateLimit-Remaining` that does not say what remains of the limit: one that exceeds
 * the limit, such as a daily count, one that stays the same, and one that grows with each request.
 */
export class HeaderCheck {
	private header = NaN;
	/** How many of our requests were counted when the header last changed. */
	private unchangedSince = 0;
	/** The header of the last request sent after the previous baseline arrived. */
	private baseline = { header: NaN, lastSeq: 0 };
	private rises = 0;

	/**
	 * @param counted our requests of the last minute
	 * @param seq number of the request
	 * @param lastSeq number of the latest request sent
	 */
	isCredible(
		header: number,
		limit: number,
		counted: number,
		seq: number,
		lastSeq: number,
	): boolean {
		if (header !== this.header) this.unchangedSince = counted;
		// It stays ignored until it changes, even when our requests are more than a minute old.
		if (counted - this.unchangedSince >= MAX_STRANGE) this.unchangedSince = -Infinity;
		this.header = header;
		if (seq > this.baseline.lastSeq) {
			this.rises = header > this.baseline.header ? this.rises + 1 : 0;
			this.baseline = { header, lastSeq };
		}
		return header <= limit && this.unchangedSince !== -Infinity && this.rises < MAX_STRANGE;
	}
}
