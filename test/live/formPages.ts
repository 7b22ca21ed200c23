import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredWorkflow } from '../../scripts/n8n/client';
import { assertSucceeded, begin, ended, type Bench, type Run } from './bench';

/** An execution that a form has started. */
export interface FilledIn {
	id: string;
	/** The address of all its pages. */
	address: string;
}

/** Fills in a form of n8n by its address. Newer n8n registers a form a moment after activation. */
export async function fillInForm(
	bench: Bench,
	{ id: workflowId }: StoredWorkflow,
	path: string,
	values: ReadonlyArray<string | File>,
): Promise<FilledIn> {
	const { url } = bench.client;
	let address = '';
	const id = await begin(bench, workflowId, async () => {
		for (let attempt = 1; address === ''; attempt++) {
			const response = await postForm(`${url}/form/${path}`, values);
			if (response.status === 404 && attempt < 200) {
				await sleep(250);
				continue;
			}
			assert.equal(response.status, 200, `the form answers ${response.status}`);
			const { formWaitingUrl } = (await response.json()) as { formWaitingUrl: string };
			const { pathname, search } = new URL(formWaitingUrl);
			address = `${url}${pathname}${search}`;
		}
	});
	return { id, address };
}

/** What the script of a form's page sends. */
export async function postForm(
	page: string,
	values: ReadonlyArray<string | File>,
): Promise<Response> {
	const form = new FormData();
	values.forEach((value, index) => form.append(`field-${index}`, value));
	// The button of a page without fields is sent too.
	if (values.length === 0) form.append('', '');
	return await fetch(page, { method: 'POST', body: form });
}

/** Waits until a person is expected at the page of a node, and returns the page. */
export async function pageOf(
	{ client }: Bench,
	{ id, address }: FilledIn,
	node: string,
): Promise<string> {
	let is = '';
	for (let attempt = 0; attempt < 600; attempt++) {
		const { status, data } = await client.execution(id);
		is = `${status} after "${data.resultData.lastNodeExecuted}"`;
		if (is === `waiting after "${node}"`) return await (await fetch(address)).text();
		await sleep(100);
	}
	throw new Error(`The execution does not wait at "${node}", but is ${is}`);
}

/** Reads the page that ends a form, and tells n8n so, as the page's own script does. */
export async function lastPage(
	bench: Bench,
	filledIn: FilledIn,
	node: string,
): Promise<{ page: string; run: Run }> {
	const page = await pageOf(bench, filledIn, node);
	await fetch(filledIn.address, { method: 'POST', body: '' });
	return { page, run: await ended(bench, filledIn.id) };
}

/** Uploads a CSV file to a form, and reads the page that ends the run. */
export async function uploadCsv(
	bench: Bench,
	stored: StoredWorkflow,
	path: string,
	csv: string | Uint8Array<ArrayBuffer>,
	lastNode: string,
): Promise<{ page: string; run: Run }> {
	const file = new File([csv], 'rows.csv', { type: 'text/csv' });
	const { page, run } = await lastPage(
		bench,
		await fillInForm(bench, stored, path, [file]),
		lastNode,
	);
	assertSucceeded(run);
	return { page, run };
}

/** The file that the script of a page downloads. Each version of n8n writes it into the page in its own way. */
export function fileIn(page: string): { name: string; text: string; lines: string[] } {
	const [, encoded] = /decodeURIComponent\("([^"]+)"\)/.exec(page) ?? [];
	assert.ok(encoded, 'the page holds a file');
	interface PageFile {
		fileName: string;
		data: string | { data: number[] };
	}
	const [file] = [JSON.parse(decodeURIComponent(encoded)) as PageFile | PageFile[]].flat();
	assert.ok(file, 'the page holds a file');
	const { fileName, data } = file;
	const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : Buffer.from(data.data);
	const text = bytes.toString('utf8');
	return { name: fileName, text, lines: text.replace('\uFEFF', '').trim().split(/\r?\n/) };
}
