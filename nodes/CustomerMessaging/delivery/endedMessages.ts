import type { EntryList } from '../n8n/entryStore';
import type { Message } from './claim';
import { listEntries, entriesWithout, type State } from './entries';

/** Messages that have ended, until n8n's store says how. */
export class EndedMessages<M extends Message> {
	messages: M[] = [];
	/** Entries to remove before others are added, so that a crash leaves no more pending than the window allows. */
	private gone: string[] = [];
	private blocks: Array<{ name: string; replaces: string[] }> = [];
	/** For each block that is not complete, the names of its accepted messages. */
	private readonly accepted = new Map<string, string[]>();

	constructor(private readonly recordsBlocks: boolean) {}

	/** @param state undefined if the message was surely not delivered */
	add(message: M, state: State | undefined): void {
		this.messages.push(message);
		this.gone.push(...message.names.flatMap((name) => entriesWithout(name, state)));
		const [name] = message.names;
		if (state === 'accepted' && this.recordsBlocks && message.block && name !== undefined)
			this.countInBlock(message.block, name);
	}

	/**
	 * Writes how the messages ended, and adds other entries. A block is added before the names that it replaces
	 * are removed. It counts more than they do, so they are not pending any more.
	 *
	 * @param others entries to add
	 * @param takenBack chooses entries to remove at the end, given those that were stored before
	 * @returns the entries that were stored before
	 */
	async write(
		list: EntryList,
		others: readonly string[],
		takenBack: (stored: ReadonlySet<string>) => string[],
	): Promise<ReadonlySet<string>> {
		const { gone, blocks } = this;
		const messages = this.messages.splice(0);
		this.gone = [];
		this.blocks = [];
		let isWritten = false;
		try {
			await list.remove(gone);
			const added = [...blocks.map(({ name }) => name), ...others];
			const stored = added.length > 0 ? await list.add(added) : new Set<string>();
			await list.remove([...blocks.flatMap(({ replaces }) => replaces), ...takenBack(stored)]);
			isWritten = true;
			return stored;
		} finally {
			if (!isWritten) this.putBack(messages, gone, blocks);
		}
	}

	/** Leaves it to the next write. */
	private putBack(
		messages: readonly M[],
		gone: readonly string[],
		blocks: typeof this.blocks,
	): void {
		this.messages.unshift(...messages);
		this.gone.unshift(...gone);
		this.blocks.unshift(...blocks);
	}

	private countInBlock({ name, size }: NonNullable<Message['block']>, accepted: string): void {
		const names = this.accepted.get(name) ?? [];
		this.accepted.set(name, names);
		names.push(accepted);
		if (names.length < size) return;
		this.accepted.delete(name);
		const replaces = new Set(names.flatMap(listEntries));
		this.gone = this.gone.filter((entry) => !replaces.has(entry));
		this.blocks.push({ name, replaces: [...replaces] });
	}
}
