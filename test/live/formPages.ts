import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredWorkflow } from '../../scripts/n8n/client';
import type { Bench } from './bench';

/** An execution that a form has started, at the address of all its pages. */
export class FilledIn {
	private constructor(
		private readonly bench: Bench,
		private readonly id: string,
		private readonly address: string,
	) {}

	/** Fills in a form of n8n by its path. Newer n8n registers a form a moment after activation. */
	static async at(
		bench: Bench,
		{ id: workflowId }: StoredWorkflow,
		path: string,
		values: ReadonlyArray<string | File>,
	): Promise<FilledIn> {
		const { url } = bench.client;
		let address = '';
		const id = await bench.begin(workflowId, async () => {
			for (let attempt = 1; address === ''; attempt++) {
				const response = await post(`${url}/form/${path}`, values);
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
		return new FilledIn(bench, id, address);
	}

	async send(...values: string[]): Promise<void> {
		await post(this.address, values);
	}

	/** Waits until a person is expected at the page of a node, and returns the page. */
	async pageOf(node: string): Promise<string> {
		let is = '';
		for (let attempt = 0; attempt < 600; attempt++) {
			const { status, data } = await this.bench.client.execution(this.id);
			is = `${status} after "${data.resultData.lastNodeExecuted}"`;
			if (is === `waiting after "${node}"`) return await (await fetch(this.address)).text();
			await sleep(100);
		}
		throw new Error(`The execution does not wait at "${node}", but is ${is}`);
	}

	/** Reads the page that ends a form, and tells n8n so, as the page's own script does. */
	async lastPage(node: string) {
		const page = await this.pageOf(node);
		await fetch(this.address, { method: 'POST', body: '' });
		return { page, run: await this.bench.ended(this.id) };
	}
}

/** What the script of a form's page sends. */
async function post(page: string, values: ReadonlyArray<string | File>): Promise<Response> {
	const form = new FormData();
	values.forEach((value, index) => form.append(`field-${index}`, value));
	// The button of a page without fields is sent too.
	if (values.length === 0) form.append('', '');
	return await fetch(page, { method: 'POST', body: form });
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
