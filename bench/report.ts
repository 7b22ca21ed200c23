import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repository } from '../scripts/paths';
import type { Machine } from './machine';
import { notes } from './notes';
import type { Chapter, Figure, Part, Table, Target } from './part';
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
const readme = path.join(repository, 'README.md');

/** The place of the README's figures. */
const MARKED = /(<!--figures-->\n)[^]*?(\n<!--\/figures-->)/;

/** Writes the page, one table with the figures of each part, and the README's few rows of it. */
export function writePage(results: Results, parts: Part[]): void {
	const chapters = writeChapters(results, parts);
	const all = chapters.flatMap(({ chapter }) => chapter.figures);
	// The page compares. `--report` prints the rest.
	const figures = all.filter(({ others }) => others !== '');
	const table = (shown: Figure[]) =>
		markdown({
			head: ['', 'this node', 'instead'],
			rows: shown.map(({ what, ours, others }) => [what, ours, others]),
		});
	const [standard] = results.machine.n8n;
	const last = chapters
		.map(({ measured: { date } }) => date)
		.sort()
		.at(-1);
	const blocks = [
		'# Performance',
		'`npm run bench` measures this node, and what people would use instead, in a real n8n with the [sandbox](../../sandbox/README.md). Medians are on this page, and a few in the README; `npm run bench -- --report` prints all of the last results.',
		`Measured on ${last}, with n8n ${standard?.version} if no version is named.`,
		table(figures),
		[
			'- HTTP Request with 500 per 60 s is the best that a person can set who knows the limit.',
			'- n8n evaluates expressions other than plain columns for both nodes, so the difference is then smaller.',
		].join('\n'),
	];
	writeFileSync(page, `${blocks.join('\n\n')}\n`);
	const short = table(figures.filter(({ isInReadme }) => isInReadme));
	const text = readFileSync(readme, 'utf8');
	if (!MARKED.test(text)) throw new Error('The README has no place for the figures');
	writeFileSync(
		readme,
		text.replace(MARKED, (_, start: string, end: string) => `${start}\n${short}\n${end}`),
	);
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
	return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}
