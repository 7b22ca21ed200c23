import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { propertyRuns, propertySeed } from '../../propertyRuns';
import { freezeClock } from '../support/clock';
import { full, present } from '../support/endpoints';
import { useNode } from '../support/node';
import { oddValues } from '../support/oddValues';
import * as order from '../support/orders';

jest.setTimeout(1_800_000);
freezeClock(present);
const node = useNode();

/** Parameters that hold for the whole run, so that they cannot differ between rows. */
const ofTheRun = ['resource', 'operation', 'host', 'api', 'senderFrom', 'dataMode'];

const schedules: INodeParameters[] = [
	{ sendAt: 'now' },
	{ sendAt: 'at', scheduledFor: '2027-03-05T09:30', scheduleTimezone: 'Europe/Berlin' },
	{ sendAt: 'next', nextTime: '09:30', nextDays: ['monday'], scheduleTimezone: 'Asia/Kolkata' },
];

/** Moves the values of parameters to columns. */
function fromColumns(parameters: INodeParameters, row: IDataObject, prefix = ''): INodeParameters {
	const moved = Object.entries(parameters).map(([name, value]) => {
		if (ofTheRun.includes(name)) return [name, value];
		if (name === 'additionalFields')
			return [name, fromColumns(value as INodeParameters, row, 'more_')];
		const isAttributes = name === 'customAttributes' || name === 'attributes';
		const column = `${prefix}${name}`;
		row[column] = isAttributes ? 'gold' : value;
		const code = `={{ $json.${column} }}`;
		const assignments = [{ id: '1', name: 'tier', value: code, type: 'string' }];
		return [name, isAttributes ? { assignments } : code];
	});
	return Object.fromEntries(moved) as INodeParameters;
}

/** Operations whose parameters all come from columns, with a row that can be sent. */
const subjects = full.flatMap(({ parameters }) => {
	const isMessage = ['push', 'email', 'sms'].includes(parameters.resource);
	return (isMessage ? schedules : [{ scheduleTimezone: 'UTC' }]).map((schedule) => {
		const row: IDataObject = {};
		const columns = fromColumns({ ...parameters, ...schedule }, row);
		return { parameters: { ...columns, testRuns: 'send', maxBroadcasts: 1_000 }, row };
	});
});
const mapped = [order.createUser, order.trackEvent].map(({ resource, operation }) => {
	const row: IDataObject = { id: 'C-1', city: 'Pune' };
	const event = { event_name: 'Order Placed', event_time: '2027-03-01T12:00:00Z' };
	const ignoreFields = 'userIdField, ignoreFields, event_name, event_time';
	const columns = fromColumns({ userIdField: 'id', ignoreFields, ...event }, row);
	return { parameters: { resource, operation, dataMode: 'autoMapInputData', ...columns }, row };
});

const anyCase = fc.constantFrom(...subjects, ...mapped).chain((subject) =>
	fc.record({
		subject: fc.constant(subject),
		onError: fc.constantFrom('continueErrorOutput' as const, 'continueRegularOutput' as const),
		rows: fc.array(
			fc.option(
				fc.dictionary(
					fc.constantFrom(...Object.keys(subject.row)),
					fc.oneof(
						fc.nat(oddValues.length - 1).map((odd) => ({ odd })),
						fc.record({ json: fc.jsonValue() }),
					),
					{ minKeys: 1, maxKeys: 3 },
				),
			),
			{ minLength: 1, maxLength: 8 },
		),
		batchSize: fc.integer({ min: 1, max: 5 }),
		includeInputFields: fc.boolean(),
	}),
);

/** The values of an odd row. fast-check itself would stumble over some of them, so it draws their numbers. */
function valuesOf(odd: Record<string, { odd: number } | { json: unknown }> | null) {
	return Object.fromEntries(
		Object.entries(odd ?? {}).map(([column, value]) => [
			column,
			'odd' in value ? oddValues[value.odd] : value.json,
		]),
	);
}

test('With odd values in any parameter, every row comes out once, on the right output, and the good ones are sent', async () => {
	let oddSent = 0;
	await fc.assert(
		fc.asyncProperty(anyCase, async ({ subject, onError, rows, batchSize, includeInputFields }) => {
			node.sandbox.reset();
			const { row } = subject;
			const parameters: INodeParameters = subject.parameters;
			const report = await node.run(
				// Some of these rows are the same.
				{ ...parameters, options: { batchSize, includeInputFields, sendDuplicates: true } },
				{ onError, rows: rows.map((odd) => ({ ...row, ...valuesOf(odd) })) as IDataObject[] },
			);
			expect(report.error).toBeUndefined();

			// The sandbox takes event names of up to 49 characters. The reference says nothing of that.
			const mayReject = parameters.resource === 'event' ? ['rejected'] : [];
			const refused = ['invalid', 'notSent', ...mayReject];
			const outcomes: unknown[] = [];
			for (const [index, item] of [...report.output, ...report.failed].entries()) {
				const { json } = item;
				const said = (includeInputFields && json.result ? json.result : json) as IDataObject;
				const { outcome } = (said.details ?? said) as IDataObject;
				const isFailed = index >= report.output.length;
				if (isFailed || outcome !== 'accepted') {
					expect(refused).toContain(outcome);
					expect(typeof json.error).toBe('string');
					expect(isFailed).toBe(onError === 'continueErrorOutput');
				}
				const row = (item.pairedItem as { item: number }).item;
				expect([row, outcomes[row]]).toEqual([row, undefined]);
				outcomes[row] = outcome;
			}
			expect(Object.keys(outcomes)).toHaveLength(rows.length);
			const good = outcomes.filter((_, row) => !rows[row]);
			expect(good).toEqual(good.map(() => 'accepted'));
			const arrived = node.sandbox.accepted().flatMap(({ body }) => {
				const { nv } = body as { nv?: unknown[] };
				return Array.isArray(nv) && parameters.operation !== 'post' ? nv : [body];
			});
			const accepted = outcomes.filter((outcome) => outcome === 'accepted').length;
			expect(arrived).toHaveLength(accepted);
			oddSent += accepted - good.length;
		}),
		{ numRuns: propertyRuns * 10, seed: propertySeed },
	);
	// Otherwise the property would say nothing.
	expect(oddSent).toBeGreaterThan(0);
});
