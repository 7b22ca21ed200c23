/** Future events, ordered by time and then by when they were added. A binary heap. */
export class EventQueue {
	private order = 0;
	private readonly heap: Array<{ atMs: number; order: number; run: () => void }> = [];

	get nextMs(): number | undefined {
		return this.heap[0]?.atMs;
	}

	push(atMs: number, run: () => void): void {
		const event = { atMs, order: this.order++, run };
		let index = this.heap.length;
		this.heap.push(event);
		while (index > 0) {
			const parent = (index - 1) >> 1;
			const above = this.heap[parent];
			if (above === undefined || before(above, event)) break;
			this.heap[index] = above;
			index = parent;
		}
		this.heap[index] = event;
	}

	pop(): { atMs: number; run: () => void } | undefined {
		const top = this.heap[0];
		const last = this.heap.pop();
		if (last === undefined || top === undefined || last === top) return top;
		let index = 0;
		for (;;) {
			let child = 2 * index + 1;
			const left = this.heap[child];
			const right = this.heap[child + 1];
			if (left === undefined) break;
			if (right !== undefined && before(right, left)) child++;
			const least = this.heap[child];
			if (least === undefined || before(last, least)) break;
			this.heap[index] = least;
			index = child;
		}
		this.heap[index] = last;
		return top;
	}
}

type Ordered = { atMs: number; order: number };
const before = (a: Ordered, b: Ordered) =>
	a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
