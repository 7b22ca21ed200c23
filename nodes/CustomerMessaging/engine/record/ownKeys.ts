import type { RecordMemory } from './memory';

/** Enough to tell the keys of one execution apart, and short, because n8n stores it with the execution. */
const LENGTH = 10;

/**
 * Which of the node's own keys this execution holds. They keep other executions from sending the same, and never
 * this one.
 */
export class OwnKeys {
	constructor(private readonly memory: RecordMemory) {}

	has(key: string): boolean {
		return Object.hasOwn(this.memory.ownKeys ?? {}, key.slice(0, LENGTH));
	}

	note(keys: readonly string[]): void {
		if (keys.length === 0) return;
		const held = (this.memory.ownKeys ??= {});
		for (const key of keys) held[key.slice(0, LENGTH)] = 1;
	}

	forget(keys: readonly string[]): void {
		for (const key of keys) delete this.memory.ownKeys?.[key.slice(0, LENGTH)];
	}
}
