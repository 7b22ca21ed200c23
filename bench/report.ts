import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { repository } from '../scripts/paths';
import type { Machine } from './machine';
import { notes } from './notes';
import type { Chapter, Part, Table, Target } from './part';
import { number } from './statistics';

/** Everything of one run, as it is kept in bench/results.json. */
export interface Results {
	seed: number;
	/** Whether the numbers were made smaller to try the harness. */
	isQuick: boolean;
	machine: Machine;
	/** By the number of the part. */
	parts: Record<number, Measured>;
}

/** One part, measured in one run. */
export interface Measured {
	/** ISO date. */
	date: string;
	/** What was built. */
	commit: string;
	/** The machine's load in the five minutes before the end, which includes the measurement's own. */
	load: number;
	data: unknown;
}

const page = path.join(repository, 'docs', 'contributing', 'performance.md');

/** Writes docs/contributing/performance.md. It contains only what the results hold. */
export function writeReport(results: Results, parts: Part[]): void {
	writeFileSync(page, report(results, parts));
}

/** The report as Markdown. */
export function report(results: Results, parts: Part[]): string {
	const chapters = writeChapters(results, parts);
	const blocks = [
		introduction(results),
		overview(chapters.flatMap(({ chapter }) => chapter.targets)),
		...chapters.flatMap(({ part, chapter, measured }) => told(part, chapter, measured)),
	];
	return `${blocks.join('\n\n')}\n`;
}

function writeChapters(results: Results, parts: Part[]) {
	return parts.flatMap((part) => {
		const measured = results.parts[part.number];
		return measured ? [{ part, measured, chapter: part.chapter(measured.data) }] : [];
	});
}

function introduction({ seed, isQuick, machine }: Results): string {
	const versions = machine.n8n
		.map(({ version, node }) => `n8n ${version} on Node ${node}`)
		.join(', ');
	return [
		'# Performance',
		'',
		'`npm run bench` measures this node beside what people would use instead, and writes this page from [bench/results.json](../../bench/results.json).',
		'',
		...(isQuick ? ['**Tried with small figures: these are no results.**', ''] : []),
		`- ${machine.cpu}, ${machine.cores} cores, ${number(machine.memoryGb)} GB, ${machine.kernel}, Node ${machine.node}. Seed ${seed}.`,
		`- Real ${versions}, with the packed package in them. Each contender has an n8n of its own; the sandbox plays the service.`,
		'- Contenders take turns. Figures are medians of three rounds or more, with the least and the most in brackets.',
	].join('\n');
}

function overview(targets: Target[]): string {
	const missed = targets.filter(({ isReached }) => !isReached);
	const rows = missed.map(({ what, asked, measured }) => [what, asked, measured]);
	return [
		'## Targets',
		`${targets.length - missed.length} of ${targets.length} were reached. These were not:`,
		markdown({ head: ['', 'asked', 'measured'], rows }),
	].join('\n\n');
}

function told(
	{ number: place, title }: Part,
	{ how, tables }: Chapter,
	{ date, commit, load }: Measured,
): string[] {
	const note = notes[place];
	return [
		`## ${title}`,
		`${date}, commit ${commit}, load of the machine ${number(load, 1)}. ${how}`,
		...tables.map(markdown),
		...(note ? [note] : []),
	];
}

function markdown({ head, rows }: Table): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
