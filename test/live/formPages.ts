import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from './bench';

/** A CSV file to upload. */
export function csvFile(csv: string | Uint8Array<ArrayBuffer>): File {
	return new File([csv], 'rows.csv', { type: 'text/csv' });
}

/**
 * Fills in a form of n8n by its address. Newer n8n registers a form a moment after activation.
 *
 * @returns the address of the page that comes next
 */
export async function startForm(
	{ client }: Bench,
	path: string,
	values: ReadonlyArray<string | File>,
): Promise<string> {
	for (let attempt = 1; ; attempt++) {
		const response = await postForm(`${client.url}/form/${path}`, values);
		if (response.status === 404 && attempt < 200) {
			await sleep(250);
			continue;
		}
		assert.equal(response.status, 200, `the form answers ${response.status}`);
		const { formWaitingUrl } = (await response.json()) as { formWaitingUrl: string };
		const { pathname, search } = new URL(formWaitingUrl);
		return `${client.url}${pathname}${search}`;
	}
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

/** Waits until a person is expected: at any page, or at that of a node. Returns the page. */
export async function pageOf(
	{ client }: Bench,
	executionId: string,
	page: string,
	node?: string,
): Promise<string> {
	for (let attempt = 0; attempt < 600; attempt++) {
		const { status, data } = await client.execution(executionId);
		if (status === 'waiting' && (!node || data.resultData.lastNodeExecuted === node))
			return await (await fetch(page)).text();
		await sleep(100);
	}
	const { status, data } = await client.execution(executionId);
	const last = `${status} after "${data.resultData.lastNodeExecuted}"`;
	throw new Error(`The execution does not wait${node ? ` at "${node}"` : ''}, but is ${last}`);
}

/** Reads the page that ends a form, and tells n8n so, as the page's own script does. */
export async function lastPage(
	bench: Bench,
	executionId: string,
	page: string,
	node: string,
): Promise<string> {
	const text = await pageOf(bench, executionId, page, node);
	await fetch(page, { method: 'POST', body: '' });
	return text;
}

/** The file that the script of a page downloads. Each version of n8n writes it into the page in its own way. */
export function fileIn(page: string): { name: string; text: string } {
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
	return { name: fileName, text: bytes.toString('utf8') };
}
