import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.join(__dirname, '../../..');

const NOT_OURS = /^(node_modules|dist|hosts|\.git|\.cache|\.n8n-data.*|coverage)$/;

/** The project's files, as paths from its root with `/` between their parts. */
export function filesIn(folder = ''): string[] {
	return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const name = path.posix.join(folder, entry.name);
		if (NOT_OURS.test(entry.name)) return [];
		return entry.isDirectory() ? filesIn(name) : [name];
	});
}

export const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');

const block = /^( *)(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^\1\2/gm;
const span = /(`+)([^\n]*?)\1/g;

/** A page's text without code, in which brackets are no links. */
export const proseOf = (page: string) => textOf(page).replace(block, '').replace(span, '');

/** The code of a page: its blocks, and what stands between backticks. */
export function codeOf(page: string): string {
	const blocks = [...textOf(page).matchAll(block)].map(([, , , code]) => code);
	return [...blocks, ...[...textOf(page).matchAll(span)].map(([, , code]) => code)].join('\n');
}

/** Where the links and pictures of a page lead, as written. */
export function linksOf(page: string): string[] {
	const written = proseOf(page).matchAll(/\]\(<?([^)>\s]*)|\b(?:href|src)="([^"]*)"/g);
	return Array.from(written, ([, link, target = '']) => link ?? target);
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(page: string): Set<string> {
	const headings = textOf(page)
		.replace(block, '')
		.matchAll(/^#{1,6} +(.+)$/gm);
	const anchors = Array.from(headings, ([, heading = '']) =>
		heading
			.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
			.replaceAll(' ', '-'),
	);
	return new Set(anchors);
}
