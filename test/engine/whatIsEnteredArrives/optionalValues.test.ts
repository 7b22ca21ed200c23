import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { elementsIn, hintsOf } from '../support/arrived';
import * as order from '../support/orders';
import { bodies, freezeClock, onlyArrival, run, useSandbox } from '../support/service';
import { emptyCells, invalidValues, joinedTexts } from '../support/values/optional';

freezeClock('2026-11-01T12:00:00.000Z');
const sandbox = useSandbox();

const column = '={{ $json.value }}';
const mapped: INodeParameters = {
	resource: 'user',
	operation: 'create',
	dataMode: 'autoMapInputData',
	userIdField: 'id',
};
const assigned = (types: string, value: string) =>
	types.split(' ').map((type) => ({ id: type, name: type, type, value }));

/** Each user that arrived: the ID and the attributes. */
const users = () =>
	elementsIn(sandbox()).map(({ userID, user_attributes }) => [userID, user_attributes]);

async function refusalOf(parameters: INodeParameters, rows: IDataObject[]): Promise<string> {
	sandbox().reset();
	const { error, hints } = await run(sandbox(), parameters, { rows });
	expect(sandbox().record).toEqual([]);
	expect(error?.message).toContain('Nothing was sent');
	expect(hints).toEqual([]);
	return `${error?.message}\n${error?.description}`;
}

describe('A space in an optional cell', () => {
	const attributes = { assignments: assigned('string number boolean array object', column) };
	const emailFields = { track_open: column, reply_to: column, email_cc: column, dnd: column };
	const pushFields = { notification_id: column, tag: column, image_url: column };
	const buttons = { button_one_title: column, button_two_url: column };

	it.each<[string, INodeParameters, INodeParameters]>([
		[
			'a user',
			order.createUser,
			{
				...{ name: column, email: column, mobile: column },
				customAttributes: attributes,
				additionalFields: { extraBodyFields: column },
			},
		],
		[
			'an event',
			order.trackEvent,
			{
				...{ event_time: column, scheduleTimezone: column, attributes },
				additionalFields: { ltv: column, extraEventFields: column },
			},
		],
		[
			'a push',
			order.pushSend,
			{
				additionalFields: { ...pushFields, ...buttons },
				options: { defaultCountry: column },
			},
		],
		['an email', order.emailSend, { additionalFields: emailFields }],
	])('counts as empty in every field of %s', async (_, least, filled) => {
		const sent = async (parameters: INodeParameters, value: unknown) => {
			sandbox().reset();
			const rows = [{ id: 'C-1', value } as IDataObject];
			const { error } = await run(sandbox(), parameters, { rows, timezone: 'UTC' });
			expect(error).toBeUndefined();
			return onlyArrival(sandbox()).body;
		};
		const empty = await sent(least, '');
		for (const cell of emptyCells)
			expect([cell, await sent({ ...least, ...filled }, cell)]).toEqual([cell, empty]);
	});

	it('counts as empty in mapped columns, and clears them with Send Empty Values', async () => {
		const ofCell = (cell: string) => ({ name: cell, email: cell, mobile: cell, city: cell });
		const ids = emptyCells.map((_, index) => `C-${index}`);
		const rows = emptyCells.map((cell, index) => ({
			...{ id: ids[index], ...ofCell(cell), plan: 'gold' },
		}));
		await run(sandbox(), mapped, { rows });
		expect(users()).toEqual(ids.map((id) => [id, { plan: 'gold' }]));
		sandbox().reset();
		await run(sandbox(), { ...mapped, options: { sendEmptyValues: true } }, { rows });
		expect(users()).toEqual(ids.map((id) => [id, { ...ofCell(''), plan: 'gold' }]));
	});

	it('counts as no consent', async () => {
		const parameters = { ...order.pushSend, additionalFields: { consent: column } };
		const rows = [{ value: 'yes' }, ...emptyCells.map((value) => ({ value }))];
		const { output } = await run(sandbox(), parameters, { rows });
		expect(bodies(sandbox())).toHaveLength(1);
		expect(output.slice(1).map(({ json }) => json.reason)).toEqual(
			emptyCells.map(() => 'noConsent'),
		);
	});

	it.each(emptyCells)(
		'is refused where without it more people could be reached: %j',
		async (value) => {
			const parameters = { ...order.emailToAll, additionalFields: { segment_id: column } };
			expect(await refusalOf(parameters, [{ value }])).toContain(
				'is empty, and without it the message could reach more',
			);
		},
	);
});

describe('A text of several placeholders, one of which is empty,', () => {
	const names = { first: 'Ana', last: 'Ng', title: 'Dr', 'First Name': 'Ana', middle: 'B', no: 7 };

	it.each(joinedTexts)(
		'is refused with what joins the others: %j of %j',
		async (text, row, joined, allMissing) => {
			const titled = (title: string) => ({ ...order.pushSend, title: `=${title}` });
			const said = await refusalOf(titled(text), [row]);
			const advices = [...said.matchAll(/Write (\{\{ .*? \}\}) in place of (both|all \d), or/g)];
			const [, code = '', many = ''] = advices.at(-1) ?? [];
			const placeholders = many === 'both' ? 2 : Number(many.slice(4));
			expect(placeholders).toBeGreaterThan(1);
			// In place of the placeholders that the advice is about.
			const group = new RegExp(`(?:\\{\\{[^}]*\\}\\}[ ,]*){${placeholders}}`);
			const [found = ''] = group.exec(text) ?? [];
			const better = text.replace(found, () => code + found.slice(found.lastIndexOf('}') + 1));
			const sentWith = async (input: IDataObject) => {
				sandbox().reset();
				const options = { sendDuplicates: true };
				const again = await run(sandbox(), { ...titled(better), options }, { rows: [input] });
				return again.error?.message ?? (onlyArrival(sandbox()).body as { title: string }).title;
			};
			expect((await sentWith(row)).trim()).toBe(joined);
			const none = await sentWith(row.no === undefined ? {} : { no: row.no });
			if (allMissing !== '') expect(none).toBe(allMissing);
			else expect(none).toContain('is empty');
			expect(await sentWith({ ...names, a: names })).toMatch(/Ng/);
		},
	);

	it('is a name that a user can do without', async () => {
		const name = "={{ [$json.first, $json.last].filter(Boolean).join(' ') }}";
		const parameters = { ...order.createUser, userID: '={{ "C-" + $itemIndex }}', name };
		await run(sandbox(), parameters, { rows: [{ first: 'Ana', last: null }, {}] });
		expect(users()).toEqual([
			['C-0', { name: 'Ana' }],
			['C-1', {}],
		]);
	});
});

describe('Leave Out Invalid Values', () => {
	const options = { leaveOutInvalid: true };

	it.each(invalidValues)('sends a user without an invalid value: %s %j', async (name, value) => {
		const rows = [
			{ id: 'C-1', [name]: value, plan: 'gold' },
			{ id: 'C-2', plan: 'silver' },
		] as IDataObject[];
		const assignments = [name, 'plan'].map((one) => ({
			...{ id: one, name: one, type: 'string', value: `={{ $json.${one} }}` },
		}));
		const userID = '={{ $json.id }}';
		const entered = { ...order.createUser, userID, customAttributes: { assignments } };
		for (const parameters of [mapped, entered]) {
			await refusalOf(parameters, rows);
			const report = await run(sandbox(), { ...parameters, options }, { rows });
			expect(report.error).toBeUndefined();
			expect(users()).toEqual([
				['C-1', { plan: 'gold' }],
				['C-2', { plan: 'silver' }],
			]);
			expect(hintsOf(report)).toContain(
				`1 value was left out because it is not valid: '${name}' (1, item 0). The service keeps what it had. To see why, turn off 'Leave Out Invalid Values' in a preview.`,
			);
		}
	});

	const fields = { email: column, mobile: column };
	const typed = {
		...{ ...order.createUser, ...fields, name: '={{ $json.first }} {{ $json.last }}' },
		customAttributes: {
			assignments: [...assigned('number boolean', column), ...assigned('string', 'gold')],
		},
	};
	const misread = { name: '={{ $json.first | upcase }}', email: '={{ $json.e-mail }}' };

	it.each<[string, INodeParameters, IDataObject[], unknown[], string]>([
		[
			'several values, counted by field',
			mapped,
			[
				{ id: 'C-1', mobile: '12', email: 'anna@example.com' },
				{ id: 'C-2', mobile: '13', email: 'none' },
				{ id: 'C-3', mobile: '+4915112345678', email: '' },
			],
			[{ email: 'anna@example.com' }, {}, { mobile: '+4915112345678' }],
			"3 values were left out because they are not valid: 'mobile' (2, items 0–1), 'email' (1, item 1)",
		],
		[
			'fields and values of another type than chosen',
			typed,
			[{ first: 'Ana', value: 'none yet' }],
			[{ string: 'gold' }],
			'name email mobile number boolean',
		],
		[
			'fields whose code n8n misreads',
			{ ...order.createUser, ...misread },
			[{ first: 'Ana', 'e-mail': 'ana@example.com' }],
			[{}],
			'name email',
		],
		[
			'them without clearing anything, with Send Empty Values',
			{ ...mapped, options: { sendEmptyValues: true } },
			[{ id: 'C-1', mobile: '12', city: '' }],
			[{ city: '' }],
			"'mobile' (1, item 0)",
		],
	])('leaves out %s', async (_, parameters, rows, attributes, told) => {
		const all = { ...(parameters.options as object), ...options };
		const report = await run(sandbox(), { ...parameters, options: all }, { rows });
		expect(users().map(([, sent]) => sent)).toEqual(attributes);
		const parts = told.includes("'")
			? [told]
			: told.split(' ').map((one) => `'${one}' (1, item 0)`);
		for (const part of parts) expect(hintsOf(report)[0]).toContain(part);
	});

	it('is what otherwise refuses code that n8n misreads, with what to write', async () => {
		expect(await refusalOf({ ...order.createUser, ...misread }, [{ first: 'Ana' }])).toContain(
			'{{ $json.first.toUpperCase() }}',
		);
	});

	it.each<[string, INodeParameters, IDataObject]>([
		['the ID', mapped, { id: '', mobile: '12' }],
		['the name of an attribute', mapped, { id: 'C-1', constructor: 'x' }],
		['extra fields', { ...mapped, additionalFields: { extraBodyFields: '[1]' } }, { id: 'C-1' }],
		[
			'a value of an event',
			{ ...mapped, ...order.trackEvent },
			{ id: 'C-1', city: 'M\ufffdnchen' },
		],
	])('still refuses %s', async (_, parameters, row) => {
		await refusalOf({ ...parameters, options }, [row]);
	});
});
