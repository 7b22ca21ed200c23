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

/** Writes the page: one table with the figures of each part. */
export function writePage(results: Results, parts: Part[]): void {
	const chapters = writeChapters(results, parts);
	const rows = chapters.flatMap(({ chapter: { figures } }) =>
		figures.map(({ what, ours, others }) => [what, ours, others]),
	);
	const [standard] = results.machine.n8n;
	const last = chapters
		.map(({ measured: { date } }) => date)
		.sort()
		.at(-1);
	const blocks = [
		'# Performance',
		'`npm run bench` measures this node, and what people would use instead, in a real n8n with the [sandbox](../../sandbox/README.md). It prints all results, keeps them in `bench/results.json`, and writes their medians to this page. `npm run bench -- --report` prints and writes the last results, without measuring.',
		`Measured on ${last}, with n8n ${standard?.version} if no version is named.`,
		markdown({ head: ['', 'this node', 'instead'], rows }),
		[
			'- HTTP Request with 500 per 60 s is the best setting by hand. It works only if somebody knows the limit, and nobody else uses the key.',
			'- This node reads plain columns such as `{{ $json.userID }}` directly from the item. With other expressions the difference is smaller, because n8n evaluates them for both nodes.',
		].join('\n'),
	];
	writeFileSync(page, `${blocks.join('\n\n')}\n`);
}

/** Everything that was measured, as Markdown. */
export function report(results: Results, parts: Part[]): string {
	const chapters = writeChapters(results, parts);
	return [
		introduction(results),
		overview(chapters.flatMap(({ chapter }) => chapter.targets)),
		...chapters.flatMap(({ part, chapter, measured }) => told(part, chapter, measured)),
	].join('\n\n');
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
