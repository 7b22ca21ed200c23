import assert from 'node:assert/strict';
import { linearRegression } from 'simple-statistics';
import { explain } from '../../scripts/problem';
import { say } from '../../scripts/steps';
import type { ServiceAccount } from './account';
import type { Verdict } from './judge';
import type { Sample } from './memory';

/** More than this for each 10,000 items would be a leak. */
const MAX_SLOPE_MB = 10;
/** What n8n and the node load and compile when they first need it. After about 5,000 items, it grows no more. */
const WARM_UP_MB = 10;
const PER_ITEMS = 10_000;

/** What all stories together came to. */
export class Totals {
	passed = 0;
	failed = 0;
	private stories = 0;
	private items = 0;
	private messages = 0;
	private twice = 0;
	private lost = 0;
	private unknown = 0;
	private notSent = 0;
	private rejected = 0;
	private line = '';
	private before?: { sample: Sample; items: number };
	/** How many items had been handled at which time. */
	private readonly progress: Array<{ atMs: number; items: number }> = [];
	private slopes: { ends: number; between: number } = { ends: NaN, between: NaN };

	/** Runs a story. An error is shown and counted, and the others go on. */
	async check(title: string, story: () => Promise<void>): Promise<void> {
		try {
			await story();
			this.passed++;
		} catch (error) {
			this.failed++;
			say(`✗ ${title}\n${explain(error)}`);
		}
	}

	/** @throws AssertionError if the verdict on a story is bad */
	add({ items, reached, twice, lost, unknown, notSent, rejected }: Verdict): void {
		this.stories++;
		this.items += items;
		this.messages += reached;
		this.twice += twice.length;
		this.lost += lost.length;
		this.unknown += unknown;
		this.notSent += notSent;
		this.rejected += rejected;
		this.progress.push({ atMs: Date.now(), items: this.items });
		assert.deepEqual(twice, [], 'nothing is sent twice');
		assert.deepEqual(lost, [], 'nothing is lost');
	}

	/** The memory before the random stories, while nothing runs. */
	begin(sample: Sample): void {
		this.before = { sample, items: this.items };
	}

	/** The memory after them, while nothing runs. */
	end(sample: Sample, all: readonly Sample[]): void {
		const { before } = this;
		assert.ok(before);
		const items = this.items - before.items;
		this.slopes = {
			ends: ((sample.heldMb - before.sample.heldMb - WARM_UP_MB) / items) * PER_ITEMS,
			between: this.slopeOf(all.filter(({ atMs }) => atMs > before.sample.atMs)),
		};
		// A short run holds little more than what n8n loads when it first needs it.
		if (items < PER_ITEMS || this.slopes.ends <= MAX_SLOPE_MB) this.passed++;
		else {
			this.failed++;
			say(
				`✗ n8n holds ${this.slopes.ends.toFixed(1)} MB more for each ${PER_ITEMS} items, besides ${WARM_UP_MB} MB`,
			);
		}
	}

	report(account: ServiceAccount, memory?: Sample): void {
		this.line = [
			`${this.stories} workflows`,
			`${this.items} items`,
			`${account.requests} requests`,
			`${account.refusedForLimit} answered 429`,
			`${this.messages} messages reached the service`,
			`${this.twice} sent twice`,
			`${this.lost} lost`,
			`${this.unknown} unknown`,
			`${this.notSent} not sent`,
			`${this.rejected} rejected`,
		].join(', ');
		const held = memory
			? `; n8n holds ${memory.heldMb.toFixed(0)} MB, resident ${memory.residentMb.toFixed(0)} MB`
			: '';
		say(this.line + held);
	}

	table(): string {
		const { ends, between } = this.slopes;
		return [
			`${this.line}.`,
			`Memory for each ${PER_ITEMS} items: ${ends.toFixed(2)} MB from idle to idle, besides ${WARM_UP_MB} MB, ${between.toFixed(2)} MB by linear regression while it ran.`,
		].join('\n');
	}

	private slopeOf(samples: readonly Sample[]): number {
		const itemsAt = (ms: number) =>
			this.progress.filter(({ atMs }) => atMs <= ms).at(-1)?.items ?? 0;
		const points = samples.map(({ atMs, heldMb }) => [itemsAt(atMs), heldMb]);
		return linearRegression(points).m * PER_ITEMS;
	}
}
