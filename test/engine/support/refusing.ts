import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { correctionsIn } from './corrections';
import type { Report } from './engine';
import { run } from './service';

/** A value that a row does not have at all. */
export const absent = Symbol('absent');

export interface Refused {
	/** The parameter that each row fills. */
	field: string;
	/** Whether it is in the collection of optional fields. */
	isAdditional?: boolean;
	/** All parameters. They send one request for a good row. */
	parameters: INodeParameters;
	good: unknown;
	/** What is wrong, and the value. */
	bad: Array<[what: string, value: unknown]>;
	/** The field that problems name, if it is not the parameter. */
	problemField?: string;
	/** The input column that holds the value, where the node maps columns by itself. */
	column?: string;
}

/**
 * Tests for one field that each bad value is refused with its reason, while a good row is still
 * sent. If the workflow stops on errors, nothing is sent.
 */
export function itRefuses(sandbox: () => Sandbox, refused: Refused): void {
	const { field, bad, good, problemField = field } = refused;
	const parameters = refused.column ? refused.parameters : withField(refused, '={{ $json.value }}');
	const rows = [good, ...bad.map(([, value]) => value)].map((value, index) =>
		toRow(value, index, refused.column ?? 'value'),
	);
	let passing: Report;
	let stopping: Report;
	let arrived: number[];

	beforeAll(async () => {
		sandbox().reset();
		passing = await run(sandbox(), parameters, { rows, onError: 'continueErrorOutput' });
		arrived = [sandbox().record.length];
		sandbox().reset();
		stopping = await run(sandbox(), parameters, { rows });
		arrived.push(sandbox().record.length);
	});

	it.each(bad.map(([what], index) => [what, index + 1] as const))(
		'refuses %s and says why',
		(_, index) => {
			const item = passing.failed.find((one) => itemOf(one) === index);
			expect(item?.json).toMatchObject({ ...rows[index], details: { outcome: 'invalid' } });
			const { problems } = item?.json.details as {
				problems: Array<{ field: string; label: string; message: string }>;
			};
			expect(new Set(problems.map((problem) => problem.field))).toEqual(new Set([problemField]));
			const messages = problems.map(({ message }) => message);
			expect(item?.json.error).toBe(messages.join('; '));
			// Zod's own messages name no field.
			expect(messages.join('; ')).not.toMatch(/invalid input|^invalid|^required|^expected/i);
			const told = correctionsIn(stopping.error).filter(
				({ items }) => items.length === 0 || items.includes(index),
			);
			expect(told.length).toBeGreaterThan(0);
			const [label = ''] = new Set(problems.map((problem) => problem.label));
			for (const { text } of told) expect(text).toContain(label);
		},
	);

	it('lets the good one beside them go, and nothing at all where the workflow is to stop', () => {
		expect(passing.error).toBeUndefined();
		expect(passing.output.map(itemOf)).toEqual([0]);
		expect(passing.failed).toHaveLength(bad.length);
		expect(stopping.error).toBeDefined();
		expect(stopping.output).toEqual([]);
		expect(arrived).toEqual([1, 0]);
	});
}

function toRow(value: unknown, index: number, column: string): IDataObject {
	const row = { line: index + 1 };
	return value === absent ? row : { ...row, [column]: value as IDataObject[string] };
}

function withField({ parameters, field, isAdditional }: Refused, value: string): INodeParameters {
	if (!isAdditional) return { ...parameters, [field]: value };
	return {
		...parameters,
		additionalFields: { ...(parameters.additionalFields as INodeParameters), [field]: value },
	};
}

function itemOf({ pairedItem }: INodeExecutionData): unknown {
	return (pairedItem as { item: number }).item;
}
