export interface Holder {
	pid: number;
	note: string;
}

/** Takes a lock, or tells which process has it. A lock whose process has ended is taken over. */
export function tryLock(file: string, note?: string, pid?: number): Holder | undefined;

/** The running process that has the lock, if there is one. */
export function holderOf(file: string): Holder | undefined;

export function release(file: string): void;

/** Waits for a lock, holds it during the work, and tells now and then why it waits. */
export function withLock<T>(file: string, what: string, work: () => T | Promise<T>): Promise<T>;
