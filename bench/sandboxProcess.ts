import { fork } from 'node:child_process';
import path from 'node:path';
import type { SandboxOptions } from '../sandbox/index';
import { repository } from '../scripts/paths';

/** One request as a sandbox saw it. */
export interface Seen {
	/** Epoch milliseconds. */
	atMs: number;
	/** The recipient. */
	users: string[];
	status: number | null;
	accepted: boolean;
}

export interface Question {
	id: number;
	ask: 'open' | 'seen' | 'count' | 'reset' | 'close';
	name: string;
	options?: SandboxOptions;
}

export interface Answer {
	id: number;
	result?: unknown;
	error?: string;
}

/** A sandbox in another process. */
export interface FarSandbox {
	url: string;
	seen(): Promise<Seen[]>;
	count(): Promise<number>;
	reset(): Promise<void>;
	close(): Promise<void>;
}

export class SandboxProcess {
	private readonly child = fork(path.join(repository, 'scripts', 'run.mjs'), [
		path.join(__dirname, 'sandboxChild.ts'),
	]);
	private readonly waiting = new Map<number, (answer: Answer) => void>();
	private lastId = 0;

	constructor() {
		this.child.on('message', (answer: Answer) => this.waiting.get(answer.id)?.(answer));
		this.child.on('exit', () =>
			this.waiting.forEach((settle, id) => settle({ id, error: 'The sandboxes have ended' })),
		);
	}

	async open(name: string, options: SandboxOptions): Promise<FarSandbox> {
		const url = await this.ask<string>('open', name, options);
		return {
			url,
			seen: async () => await this.ask('seen', name),
			count: async () => await this.ask('count', name),
			reset: async () => await this.ask('reset', name),
			close: async () => await this.ask('close', name),
		};
	}

	stop(): void {
		if (this.child.connected) this.child.disconnect();
	}

	private async ask<T>(ask: Question['ask'], name: string, options?: SandboxOptions): Promise<T> {
		const id = ++this.lastId;
		const { result, error } = await new Promise<Answer>((resolve) => {
			this.waiting.set(id, resolve);
			const question: Question = { id, ask, name, options };
			this.child.send(question, (failure) => failure && resolve({ id, error: String(failure) }));
		});
		this.waiting.delete(id);
		if (error !== undefined) throw new Error(error);
		return result as T;
	}
}
