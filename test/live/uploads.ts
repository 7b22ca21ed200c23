import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Sends a CSV file as a form's page does. Newer n8n registers a form a moment after activation. */
export async function uploadCsv(page: string, csv: string): Promise<void> {
	for (let attempt = 1; ; attempt++) {
		const form = new FormData();
		form.append('field-0', new Blob([csv], { type: 'text/csv' }), 'rows.csv');
		const response = await fetch(page, { method: 'POST', body: form });
		if (response.ok) return;
		assert.ok(response.status === 404 && attempt < 200, `the form answers ${response.status}`);
		await sleep(250);
	}
}
