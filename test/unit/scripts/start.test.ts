import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { environment } from '../../../scripts/n8n/process';
import { suits } from '../../../scripts/nodeRange.cjs';
import { exampleWorkflows } from '../../../scripts/start/examples';
import { ownerIn } from '../../../scripts/start/account';
import { takeFolder } from '../../../scripts/start/folder';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-start-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('The environment of n8n', () => {
	const before = { ...process.env };
	afterEach(() => {
		process.env = { ...before };
	});

	it('holds nothing that is meant for another n8n.', async () => {
		const foreign =
			'NODES_INCLUDE NODES_EXCLUDE CREDENTIALS_OVERWRITE_DATA CREDENTIALS_OVERWRITE_ENDPOINT EXTERNAL_HOOK_FILES EXTERNAL_FRONTEND_HOOKS_URLS GENERIC_TIMEZONE N8N_ENCRYPTION_KEY DB_TYPE EXECUTIONS_MODE WEBHOOK_URL NODE_OPTIONS NODE_FUNCTION_ALLOW_BUILTIN';
		for (const name of foreign.split(' ')) process.env[name] = 'x';
		const passed = await environment(process.execPath, folder);
		expect(foreign.split(' ').filter((name) => passed[name] !== undefined)).toEqual([]);
	});

	it('holds what a program needs, and switches off what would ask for something on the Internet.', async () => {
		const passed = { HTTPS_PROXY: 'http://proxy', LC_ALL: 'C', TZ: 'UTC' };
		Object.assign(process.env, passed);
		expect(await environment(process.execPath, folder)).toMatchObject({
			...passed,
			PATH: expect.stringContaining(path.dirname(process.execPath)) as string,
			...{ N8N_USER_FOLDER: folder, N8N_LISTEN_ADDRESS: '127.0.0.1' },
			...{ N8N_DIAGNOSTICS_ENABLED: 'false', N8N_VERSION_NOTIFICATIONS_ENABLED: 'false' },
			...{ N8N_TEMPLATES_ENABLED: 'false', N8N_DYNAMIC_BANNERS_ENABLED: 'false' },
			N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		});
	});
});

test('The notes of the examples name the address of the n8n that was started.', () => {
	const notes = (editor?: string) => JSON.stringify([...exampleWorkflows({}, editor)]);
	expect(notes()).toContain('http://localhost:5678/form/announcement');
	const moved = notes('http://localhost:5680');
	expect(moved).toContain('http://localhost:5680/form/announcement');
	expect(moved).not.toContain('localhost:5678');
});

test("The password of n8n's owner is made at the first start, kept for the next one, and another one in another folder.", () => {
	const owner = ownerIn(folder);
	expect(ownerIn(folder)).toEqual(owner);
	// n8n wants 8 to 64 characters, with a capital letter and a digit.
	expect(owner.password).toMatch(/^(?=.*[A-Z])(?=.*\d).{8,64}$/);
	expect(statSync(path.join(folder, 'owner.json')).mode & 0o077).toBe(0);
	const other = path.join(folder, 'other');
	mkdirSync(other);
	expect(ownerIn(other).password).not.toBe(owner.password);
});

it('A folder that is in use is refused, with a way out.', async () => {
	await takeFolder(folder, 'http://localhost:5678');
	await expect(takeFolder(folder, 'http://localhost:5679')).rejects.toThrow(
		`npm start is already running with the data in ${folder} (process ${process.pid}, n8n at http://localhost:5678). ` +
			'Use that one, or stop it with Ctrl-C first. To run a second one, give it a folder and ports of its own: ' +
			`CUSTOMER_MESSAGING_DATA=.n8n-data-2 N8N_PORT=5680 SANDBOX_PORT=8790 npm start. If there is no such process, delete ${path.join(folder, 'in-use.lock')}.`,
	);
});

it.each([
	['>=20.19', '20.18.9', false],
	['>=20.19 <25', '25.0.0', false],
	['>=24.1.2', '24.1.10', true],
])('The range %s holds Node %s: %s', (range, node, isInside) => {
	expect(suits(range, node)).toBe(isInside);
});
