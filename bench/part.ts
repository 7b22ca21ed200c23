import type { Chart } from './plots';
import type { SandboxProcess } from './sandboxProcess';
import type { Place, Stage } from './stage';

/** The parameters of the parts. */
export interface Bench {
	/** Smaller figures, to see whether everything works: never told in the docs. */
	isQuick: boolean;
	sandboxes: SandboxProcess;
	/** The n8n of hosts/ that is the newest. */
	newest: string;
	/** The n8n in which what is bound by the limit or by memory is measured. */
	standard: string;
	/** Runs work with an n8n for each contender, all of one version, which stop afterwards. */
	onStages: <C, T>(
		version: string,
		contenders: readonly C[],
		work: (places: Array<Place<C>>) => Promise<T>,
	) => Promise<T>;
	/** The same with one. */
	onStage: <T>(version: string, work: (stage: Stage) => Promise<T>) => Promise<T>;
	seed: number;
	/** From 0 up to 1, from the seed. */
	random: () => number;
}

/** One thing measured; `Data` is what is kept of it, as JSON. */
export interface Part<Data = unknown> {
	number: number;
	title: string;
	measure(bench: Bench): Promise<Data>;
	chapter(data: Data): Chapter;
}

export interface Chapter {
	/** What was measured and how, in Markdown. */
	how: string;
	tables: Table[];
	charts: Chart[];
	targets: Target[];
}

export interface Table {
	head: string[];
	rows: string[][];
}

/** What was asked for, and what was measured. */
export interface Target {
	what: string;
	asked: string;
	measured: string;
	isReached: boolean;
}
