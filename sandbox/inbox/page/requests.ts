import type { Example } from '../../examples';
import type { Fault } from '../../faults';
import type { Access } from '../../introduction';
import type { SettingsPatch } from '../../settings';
import type { Unparsed } from '../row';

/** Undefined if it is no longer in the record. */
export async function fetchDetail(seq: number, signal: AbortSignal): Promise<Unparsed | undefined> {
	const response = await fetch(`/sandbox/inbox/arrivals/${seq}`, { signal });
	return response.ok ? ((await response.json()) as Unparsed) : undefined;
}

/** The introduction that is also printed on the terminal. */
export async function fetchIntroduction(): Promise<string> {
	return await (await fetch('/', { headers: { accept: 'text/plain' } })).text();
}

/** The addresses and test credentials for n8n. */
export async function fetchAccess(): Promise<Access> {
	return (await (await fetch('/sandbox/inbox/access')).json()) as Access;
}

export const emptyRecord = async () => await change('DELETE', '/sandbox/record');
export const sendToExample = async (example: Example, body: object) =>
	await change('POST', `/sandbox/examples/${example}`, body);
export const addFault = async (fault: Fault) => await change('POST', '/sandbox/faults', fault);
export const removeFault = async (id: number) => await change('DELETE', `/sandbox/faults?id=${id}`);
export const clearFaults = async () => await change('DELETE', '/sandbox/faults');
export const changeSettings = async (patch: SettingsPatch) =>
	await change('PUT', '/sandbox/settings', patch);

/** @throws Error saying why the sandbox has not made the change */
async function change(method: string, path: string, body?: object): Promise<void> {
	const headers = body ? { 'content-type': 'application/json' } : undefined;
	const response = await fetch(path, { method, headers, body: body && JSON.stringify(body) }).catch(
		() => {
			throw new Error('The sandbox does not answer.');
		},
	);
	if (response.ok) return;
	const { error } = (await response.json()) as {
		error: string | Array<{ path: string[]; message: string }>;
	};
	throw new Error(
		typeof error === 'string'
			? error
			: error.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
	);
}
