import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useLogLines } from '../support/logLines';
import { bodies, run, useSandbox } from '../support/service';
import {
	draggedValues,
	ignoredColumns,
	misspelledNames,
	splitNames,
} from '../support/values/ignoredColumns';

const sandbox = useSandbox();
const lines = useLogLines();

const mapped = (ignoreFields: string, resource = 'user'): INodeParameters => ({
	resource,
	operation: resource === 'user' ? 'create' : 'track',
	...(resource === 'event' ? { event_name: 'Order Placed' } : {}),
	dataMode: 'autoMapInputData',
	userIdField: 'id',
	ignoreFields,
});

const rowOf = (columns: readonly string[]): IDataObject => ({
	id: 'C-1',
	...Object.fromEntries(columns.map((column) => [column, 'x'])),
});

/** The names of the attributes that arrived, of each user or event. */
const sent = () =>
	(bodies(sandbox()) as Array<{ nv: IDataObject[] }>).flatMap(({ nv }) =>
		nv.map((one) => Object.keys((one.user_attributes ?? one.attributes ?? {}) as IDataObject)),
	);

describe('Ignore Fields', () => {
	it.each(ignoredColumns)('%j of %j leaves %j', async (entered, columns, left) => {
		for (const resource of ['user', 'event']) {
			sandbox().reset();
			const rows = [rowOf(columns)];
			const { error } = await run(sandbox(), mapped(entered, resource), { rows });
			expect(error).toBeUndefined();
			expect(sent()).toEqual([left]);
		}
	});

	it('is named where a column has no name', async () => {
		for (const resource of ['user', 'event']) {
			const { error } = await run(sandbox(), mapped('', resource), { rows: [rowOf([''])] });
			expect(error?.message).toContain(
				'A column has no name. Give it one, or enter "" under \'Ignore Fields\'',
			);
		}
	});

	it('looks at the columns of each row', async () => {
		const rows = [rowOf(['notes', 'Notes']), rowOf(['Notes', 'city'])].map((row, index) => ({
			...row,
			id: `C-${index}`,
		}));
		await run(sandbox(), mapped('notes'), { rows });
		expect(sent()).toEqual([['Notes'], ['city']]);
	});

	it.each(draggedValues)(
		'refuses the run where it gives what a column holds: %s',
		async (entered, column, value, name) => {
			const rows = [{ ...rowOf([]), [column]: value }];
			for (const resource of ['user', 'event']) {
				const { error } = await run(sandbox(), mapped(entered, resource), { rows });
				expect(error?.message).toContain(
					`which the column holds, and not its name. Write ${name} as`,
				);
				expect(sandbox().record).toEqual([]);
				const better = await run(sandbox(), mapped(name, resource), { rows });
				expect(better.error).toBeUndefined();
				expect(sent()).toEqual([[]]);
				sandbox().reset();
			}
		},
	);

	it.each(splitNames)('refuses the run where a comma divides a name: %j of %j', async (...one) => {
		const [entered, columns, better] = one;
		const rows = [rowOf(['city']), { ...rowOf(columns), id: 'C-2' }];
		for (const onError of ['stopWorkflow', 'continueErrorOutput'] as const) {
			const { error, failed } = await run(sandbox(), mapped(entered), { rows, onError });
			const said = error ? [error.message] : failed.map(({ json }) => json.error as string);
			expect(said).toHaveLength(error ? 1 : 2);
			for (const message of said)
				expect(message).toContain(`Write its name in quotation marks: ${better}`);
			expect(sandbox().record).toEqual([]);
		}
		const column = columns[0] ?? '';
		await run(sandbox(), mapped(better), { rows: [rowOf(columns)] });
		expect(sent()).toEqual([columns.filter((other) => other !== column)]);
	});

	it.each(misspelledNames)('warns of a name that is nearly one: %j of %j', async (...one) => {
		const [entered, columns, near] = one;
		const { hints, error } = await run(sandbox(), mapped(entered), { rows: [rowOf(columns)] });
		expect(error).toBeUndefined();
		const told = hints.filter(({ type }) => type === 'warning').map(({ message }) => message);
		expect(told).toHaveLength(near === undefined ? 0 : 1);
		expect(lines).toEqual(told.map((message) => ['warn', message]));
		if (near === undefined) return;
		expect(told[0]).toContain(`but '${near}' is one, and it is sent`);
		sandbox().reset();
		const better = near.includes(',') ? `"${near}"` : near;
		const again = await run(sandbox(), mapped(better), { rows: [rowOf(columns)] });
		expect(again.hints).toEqual([]);
		expect(sent()).toEqual([columns.filter((column) => column !== near)]);
	});
});
