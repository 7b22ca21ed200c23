import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Arrival, Sandbox } from '../../sandbox/index';
import { explain } from '../../scripts/problem';
import { say } from '../../scripts/steps';
import { nameOf } from './story';

/** More than this for each 10,000 items would be a leak. */
const MAX_SLOPE_MB = 10;
/** What n8n and the node load and compile when they first need it. After about 5,000 items, it grows no more. */
const WARM_UP_MB = 10;
const PER_ITEMS = 10_000;

export interface Verdict {
	items: number;
	reached: number;
	twice: string[];
	/** Neither reached nor named, although the execution was not stopped. */
	lost: string[];
}

/** What the service accepted, by message. The sandbox's own record would grow too large in an hour. */
export class ServiceAccount {
	requests = 0;
	private readonly accepted = new Map<string, number>();
	/** When the last request of a story came, in epoch milliseconds. */
	private readonly lastAtMs = new Map<number, number>();

	constructor(sandbox: Sandbox) {
		sandbox.subscribe((arrival) => this.take(arrival));
	}

	times(message: string): number {
		return this.accepted.get(message) ?? 0;
	}

	lastRequestMs(story: number): number {
		return this.lastAtMs.get(story) ?? -Infinity;
	}

	private take({ rawBody, time, accepted, platform }: Arrival): void {
		this.requests++;
		for (const reference of new Set(rawBody.match(/k\d+-\d+k/g))) {
			this.lastAtMs.set(Number(/\d+/.exec(reference)?.[0]), time);
			const message = nameOf(reference, platform);
			if (accepted) this.accepted.set(message, this.times(message) + 1);
		}
	}
}

/** How much memory an n8n holds that was started with this environment, while nothing runs. */
export class Memory {
	private readonly file = path.join(mkdtempSync(path.join(tmpdir(), 'memory-')), 'memory.json');
	readonly env: NodeJS.ProcessEnv = {
		NODE_OPTIONS: `--require ${JSON.stringify(path.join(__dirname, 'memoryReport.cjs'))}`,
		MEMORY_FILE: this.file,
	};

	constructor() {
		process.once('exit', () => rmSync(path.dirname(this.file), { recursive: true, force: true }));
	}

	/** What is left after garbage collection, in a sample that begins later than now. */
	async heldMb(): Promise<number> {
		const nowMs = Date.now();
		for (let attempt = 0; attempt < 240; attempt++) {
			await sleep(500);
			try {
				const sample = JSON.parse(readFileSync(this.file, 'utf8')) as Record<string, number>;
				const { atMs = 0, heldMb = 0 } = sample;
				if (atMs > nowMs) return heldMb;
			} catch {
				// There is no sample yet, or half of one.
			}
		}
		throw new Error('n8n has not said for two minutes how much memory it holds');
	}
}

/** What all stories together came to. */
export class Totals {
	passed = 0;
	failed = 0;
	items = 0;
	private reached = 0;

	/** Runs a story. An error is shown and counted, and the others go on. */
	async check(title: string, story: () => Promise<void> | void): Promise<void> {
		try {
			await story();
			this.passed++;
		} catch (error) {
			this.failed++;
			say(`✗ ${title}\n${explain(error)}`);
		}
	}

	/** @throws AssertionError if the verdict on a story is bad */
	add({ items, reached, twice, lost }: Verdict): void {
		this.items += items;
		this.reached += reached;
		assert.deepEqual(twice, [], 'nothing is sent twice');
		assert.deepEqual(lost, [], 'nothing is lost');
	}

	/** @throws AssertionError if so many items have made n8n hold so much more */
	checkGrowth(items: number, grownMb: number): void {
		const slopeMb = ((grownMb - WARM_UP_MB) / items) * PER_ITEMS;
		say(`For each ${PER_ITEMS} items, n8n holds ${slopeMb.toFixed(1)} MB more, besides the first`);
		// A short run holds little more than what n8n loads when it first needs it.
		assert.ok(items < PER_ITEMS || slopeMb <= MAX_SLOPE_MB, `more than ${MAX_SLOPE_MB} MB`);
	}

	report({ requests }: ServiceAccount): void {
		const { passed, failed, items, reached } = this;
		say(
			`${passed + failed} workflows, ${failed} failed, ${items} items, ${requests} requests, ${reached} messages reached the service`,
		);
	}
}
