/**
 * Evaluates expressions with the engine of an n8n version, in a process with the Node of that version.
 * Arguments: the folder of `n8n`, `legacy` or `vm`, and a file with pairs of an expression and a row,
 * serialized by V8. The output has the values in the same form; of a refused expression, the reason.
 */
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { deserialize, serialize } = require('node:v8');

const [folder, engine, file] = process.argv.slice(2);
const { Expression, Workflow } = createRequire(`${folder}/package.json`)('n8n-workflow');

async function main() {
	const limits = { bridgeTimeout: 5_000, bridgeMemoryLimit: 128, maxCodeCacheSize: 1_024 };
	// n8n 2.8 has one engine only.
	await Expression.initExpressionEngine?.({ engine, poolSize: 1, ...limits });
	const type = () => ({ description: { properties: [], inputs: ['main'], outputs: ['main'] } });
	const name = 'Node';
	const node = { id: '1', name, type: 'type', typeVersion: 1, position: [0, 0], parameters: {} };
	const nodeTypes = { getByName: type, getByNameAndVersion: type, getKnownTypes: () => ({}) };
	const workflow = new Workflow({ active: false, nodes: [node], connections: {}, nodeTypes });
	await workflow.expression.acquireIsolate?.();
	const evaluate = ([raw, json]) => {
		const input = [{ json, pairedItem: { item: 0 } }];
		const data = { data: { main: [input] }, node, source: null };
		const context = [null, 0, 0, name, input, 'webhook', {}, data];
		try {
			return { value: workflow.expression.getParameterValue(raw, ...context) };
		} catch (error) {
			return { refused: String(error) };
		}
	};
	const values = serialize(deserialize(readFileSync(file)).map(evaluate));
	process.stdout.write(values, () => process.exit(0));
}

void main();
