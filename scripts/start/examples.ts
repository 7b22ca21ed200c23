import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { N8nRefusal, type N8nClient, type WorkflowJson } from '../n8n/client';
import { examplesFolder } from '../paths';
import { say } from '../steps';
import type { Memory } from './memory';

/** Where the notes of the examples say that n8n is. */
const usualEditor = 'http://localhost:5678';

/**
 * The workflows of `examples/` by file name, with the ids that their credentials have in this n8n.
 *
 * @param editor the address of this n8n, for the notes
 */
export function exampleWorkflows(
	credentialIds: Record<string, string>,
	editor = usualEditor,
): Map<string, WorkflowJson> {
	const files = readdirSync(examplesFolder).filter((name) => name.endsWith('.json'));
	return new Map(
		files.map((name) => {
			const json = readFileSync(path.join(examplesFolder, name), 'utf8');
			const workflow = JSON.parse(json.replaceAll(usualEditor, editor)) as WorkflowJson;
			return [name, withCredentials(workflow, credentialIds)];
		}),
	);
}

export function withCredentials(workflow: WorkflowJson, ids: Record<string, string>): WorkflowJson {
	const nodes = workflow.nodes.map((node) => {
		if (!node.credentials) return node;
		const linked = Object.entries(node.credentials).map(([type, { id, name }]) => [
			type,
			{ id: ids[id] ?? id, name },
		]);
		return { ...node, credentials: Object.fromEntries(linked) as typeof node.credentials };
	});
	return { ...workflow, nodes };
}

/**
 * Whether it waits for a call after activation. A schedule would start by itself. A chat that is only open in the
 * editor needs no activation, but the user's own model.
 */
function waitsForCall({ nodes }: WorkflowJson): boolean {
	return nodes.some(({ type }) => /\.(webhook|formTrigger)$/.test(type));
}

/** Creates missing examples. Existing ones belong to the user and are not changed. */
export async function provideExamples(
	client: N8nClient,
	memory: Memory,
	editor: string,
): Promise<void> {
	const existing = new Set((await client.workflows()).map(({ id }) => id));
	for (const [file, workflow] of exampleWorkflows(memory.credentials, editor)) {
		const known = memory.workflows[file];
		if (known !== undefined && existing.has(known)) continue;
		const created = await client.createWorkflow(workflow);
		memory.workflows[file] = created.id;
		if (!waitsForCall(created)) continue;
		await client.activate(created).catch((error: unknown) => {
			if (!(error instanceof N8nRefusal)) throw error;
			say(`  "${workflow.name}" was created but not activated: ${error.message}`);
		});
	}
}
