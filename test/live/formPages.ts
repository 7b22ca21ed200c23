import assert from 'node:assert/strict';
import type { StoredWorkflow } from '../../scripts/n8n/client';
import { eventually } from '../eventually';
import type { Bench } from './bench';

export type Csv = string | Uint8Array<ArrayBuffer>;

/** Uploads a file to a form of n8n, and reads the page of the node that ends the run, as the form's own script does. */
export async function upload(
	bench: Bench,
	{ id: workflowId }: StoredWorkflow,
	path: string,
	csv: Csv,
	lastNode: string,
) {
	const { url } = bench.client;
	const body = new FormData();
	body.append('field-0', new File([csv], 'rows.csv', { type: 'text/csv' }));
	let address = '';
	const id = await bench.begin(workflowId, async () => {
		// Newer n8n registers a form a moment after activation.
		const response = await eventually(async () => {
			const answered = await fetch(`${url}/form/${path}`, { method: 'POST', body });
			assert.notEqual(answered.status, 404);
			return answered;
		});
		assert.equal(response.status, 200, `the form answers ${response.status}`);
		const { formWaitingUrl } = (await response.json()) as { formWaitingUrl: string };
		const { pathname, search } = new URL(formWaitingUrl);
		address = `${url}${pathname}${search}`;
	});
	const { lastNode: waitsAt } = await bench.untilWaiting(id);
	assert.equal(waitsAt, lastNode);
	const page = await (await fetch(address)).text();
	await fetch(address, { method: 'POST', body: '' });
	return { page, run: (await bench.ended(id)).succeeded() };
}

/** The file that the script of a page downloads. Each version of n8n writes it into the page in its own way. */
export function fileIn(page: string): { name: string; text: string; lines: string[] } {
	interface PageFile {
		fileName: string;
		data: string | { data: number[] };
	}
	const [, encoded = '[]'] = /decodeURIComponent\("([^"]+)"\)/.exec(page) ?? [];
	const [file] = [JSON.parse(decodeURIComponent(encoded)) as PageFile | PageFile[]].flat();
	assert.ok(file, 'the page holds a file');
	const { fileName, data } = file;
	const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : Buffer.from(data.data);
	const text = bytes.toString('utf8');
	return { name: fileName, text, lines: text.replace('\uFEFF', '').trim().split(/\r?\n/) };
}
