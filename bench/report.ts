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
	minutes: number;
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
		'## Why expressions are evaluated one by one',
		notes.expressions,
		...gains(),
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
		'Measured beside what people would use instead, by `npm run bench`, which wrote this page from its own data, [bench/results.json](../../bench/results.json).',
		'',
		...(isQuick ? ['**Tried with small figures: these are no results.**', ''] : []),
		`- What a part compares, it measures side by side in one run. Below its heading stands when, and with which commit. Seed ${seed}.`,
		`- ${machine.cpu}, ${machine.cores} cores, ${number(machine.memoryGb)} GB, ${machine.kernel}. Harness and sandbox on Node ${machine.node}.`,
		`- ${versions}: real ones, started for this, with the packed package in them. The sandbox that plays the service is a process of its own on the same machine.`,
		'- Contenders take turns, and each round begins with another one. Figures are medians of three rounds or more, with the least and the most in brackets; processor time and memory are read from Linux.',
	].join('\n');
}

function overview(targets: Target[]): string {
	const rows = targets.map(({ what, asked, measured, isReached }) => [
		what,
		asked,
		measured,
		isReached ? 'yes' : '**no**',
	]);
	return `## Targets\n\n${markdown({ head: ['', 'asked', 'measured', 'reached'], rows })}`;
}

function told(
	{ number: place, title }: Part,
	{ how, tables }: Chapter,
	{ date, minutes, commit, load }: Measured,
): string[] {
	const note = notes.parts[place];
	return [
		`## ${place}. ${title}`,
		`Measured on ${date} in ${minutes} min, package of commit ${commit}, load of the machine ${number(load, 1)}.`,
		how,
		...tables.map(markdown),
		...(note ? [note] : []),
	];
}

function markdown({ head, rows }: Table): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function gains(): string[] {
	if (notes.gains.length === 0) return [];
	const rows = notes.gains.map(({ change, before, after }) => [change, before, after]);
	return ['## What each change gained', markdown({ head: ['change', 'before', 'after'], rows })];
}
