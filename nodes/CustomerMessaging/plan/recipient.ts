import { createHash } from 'node:crypto';

import type { N8n } from '../n8n/context';
import type { Operation } from '../operations/operation';
import type { FieldOptions } from '../fields/field';
import type { Addressed, Body, Delivery, Platform } from '../shared/delivery';
import { type Counts, countsOfRun, plannedFor, type PlannedCounts } from './broadcastGuard';

/** What n8n stores between the runs of the node in one execution. */
interface NumberMemory {
	/** How many messages to each recipient were planned in the runs before, and in the last one. */
	planned?: PlannedCounts;
	/** To whom other attempts had made messages, if they may have had the rows in another order. */
	madeByOthers?: Counts;
}

/**
 * Numbers the messages to the same recipient through an execution. The numbers of a run begin where the run
 * before it ended, also if the run is tried again.
 */
export class RecipientNumbers {
	private readonly planned: PlannedCounts;
	private readonly memory: NumberMemory;

	constructor({ context, runIndex }: Pick<ReturnType<N8n['memory']>, 'context' | 'runIndex'>) {
		this.memory = context;
		this.planned = this.memory.planned = countsOfRun(this.memory.planned, runIndex);
	}

	address(recipient: string, platform?: Platform): Addressed {
		const key = keyOf(recipient, platform);
		this.planned.now[key] = (this.planned.now[key] ?? 0) + 1;
		return { platform, recipient, number: plannedFor(key, this.planned) };
	}

	/** The messages of a row that cannot be sent, as far as their recipient can be read. */
	addressRow(
		{ addressees }: Pick<Operation, 'addressees'>,
		read: (parameter: string) => unknown,
		options: FieldOptions = {},
	): Addressed[] {
		const found = addressees?.(read, options) ?? [];
		return found.map(({ to, platform }) => this.address(identify(to), platform));
	}

	/** How many messages to a recipient the execution has planned so far. */
	countOf({ recipient, platform }: Addressed): number {
		return plannedFor(keyOf(recipient, platform), this.planned);
	}

	/** Whether other attempts may have had other rows, or the same ones in another order. */
	get mayDiffer(): boolean {
		return this.memory.madeByOthers !== undefined;
	}

	set mayDiffer(mayDiffer: boolean) {
		if (mayDiffer) this.memory.madeByOthers ??= {};
	}

	/** Notes for this run and the following ones that another attempt has made a message to a recipient. */
	noteMade({ recipient, platform }: Addressed): void {
		(this.memory.madeByOthers ??= {})[keyOf(recipient, platform)] = 1;
	}

	wereMade({ recipient, platform }: Addressed): boolean {
		return keyOf(recipient, platform) in (this.memory.madeByOthers ?? {});
	}

	/** How many messages the execution has planned so far. */
	get total(): number {
		const counts = [this.planned.before, this.planned.now].flatMap(Object.values) as number[];
		return counts.reduce((one, other) => one + other, 0);
	}
}

/**
 * Tells the recipient or audience of a delivery from all others. An event and a custom request have none, so
 * their content takes its place.
 *
 * @param digest from `hashDelivery`
 */
export function identifyRecipient({ to, buildBody }: Delivery, digest: string): string {
	if (!to) return digest;
	if (!('email' in to)) return identify(to);
	// `to` is as it was entered, and the body holds the standard form.
	const body = buildBody();
	return identify(Array.isArray(body) ? to : { email: body.email });
}

/** Mail systems ignore case in practice. */
function identify(to: Readonly<Body>): string {
	return JSON.stringify('email' in to ? { email: String(to.email).toLowerCase() } : to);
}

/** Short, because n8n stores it with the execution. Two recipients with one key only have higher numbers. */
function keyOf(recipient: string, platform: Platform | undefined): string {
	return createHash('sha1').update(`${platform} ${recipient}`).digest('base64').slice(0, 8);
}

/** A hash of what a delivery sends to whom. Long texts that begin alike and are equally long count as the same. */
export function hashDelivery({ path, to, buildBody, envelope, schedule, ask }: Delivery): string {
	// The body of a question holds a link that is another one in each execution.
	const content = ask ? [to, ask] : buildBody();
	const text = JSON.stringify([path, content, envelope, schedule], shortened);
	return createHash('sha256').update(text).digest('base64');
}

/** The content of an email may be long. Its beginning and length are enough to identify it. */
function shortened(_key: string, value: unknown): unknown {
	return typeof value === 'string' && value.length > 200
		? `${value.slice(0, 200)} ${value.length}`
		: value;
}
