import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { environment } from '../../../scripts/n8n/process';
import { takeFolder } from '../../../scripts/start/folder';

const folder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('n8n gets nothing from the shell that is meant for another n8n, such as its database', async () => {
	const foreign = { DB_TYPE: 'x', N8N_ENCRYPTION_KEY: 'x', CREDENTIALS_OVERWRITE_DATA: 'x' };
	const shell = jest.replaceProperty(process, 'env', { ...process.env, ...foreign });
	const passed = await environment(process.execPath, folder);
	shell.restore();
	expect(Object.keys(foreign).filter((name) => name in passed)).toEqual([]);
});

test('A folder that is in use is refused, with a way out.', async () => {
	await takeFolder(folder, 'http://localhost:5678');
	await expect(takeFolder(folder, 'http://localhost:5679')).rejects.toThrow(
		`npm start is already running with the data in ${folder} (process ${process.pid}, n8n at http://localhost:5678). ` +
			'Use that one, or stop it with Ctrl-C first. To run a second one, give it a folder and ports of its own: ' +
			`CUSTOMER_MESSAGING_DATA=.n8n-data-2 N8N_PORT=5680 SANDBOX_PORT=8790 npm start. If there is no such process, delete ${path.join(folder, 'in-use.lock')}.`,
	);
});
