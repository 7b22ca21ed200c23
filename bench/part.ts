import type { SandboxProcess } from './sandboxProcess';
import type { Place, Stage } from './stage';

/** The parameters of the parts. */
export interface Bench {
	/** Use smaller numbers, to see whether everything works. Such results never appear in the docs. */
	isQuick: boolean;
	sandboxes: SandboxProcess;
	/** The newest n8n of scripts/n8n/hosts/. */
	newest: string;
	/** The n8n for what depends on the limit or on memory. */
	standard: string;
	/** Runs the work with one n8n for each contender, all of the same version. They stop afterwards. */
	onStages: <C, T>(
		version: string,
		contenders: readonly C[],
		work: (places: Array<Place<C>>) => Promise<T>,
	) => Promise<T>;
	/** The same with only one n8n. */
	onStage: <T>(version: string, work: (stage: Stage) => Promise<T>) => Promise<T>;
	seed: number;
	/** Returns random numbers from 0 up to 1 that depend on the seed. */
	random: () => number;
}

/** Each ratio and median is taken over this many rounds. */
export const countRounds = ({ isQuick }: Pick<Bench, 'isQuick'>): number => (isQuick ? 1 : 3);

/** The order of one round: each contender comes first once. */
export function rotated<T>(contenders: readonly T[], round: number): T[] {
	const first = round % Math.max(1, contenders.length);
	return [...contenders.slice(first), ...contenders.slice(0, first)];
}

/** One thing measured; `Data` is what is kept of it, as JSON. */
export interface Part<Data = unknown> {
	number: number;
	title: string;
	measure(bench: Bench): Promise<Data>;
	chapter(data: Data): Chapter;
}

export interface Chapter {
	/** For the page. */
	figures: Figure[];
	/** What was measured and how. */
	how: string;
	tables: Table[];
	targets: Target[];
}

/** One row of the table on the page, in medians. */
export interface Figure {
	what: string;
	ours: string;
	/** Of what people would use instead; empty if there is nothing. */
	others: string;
	/** Whether the README shows it too. */
	isInReadme?: true;
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
