import type { IDataObject, INodeParameters } from 'n8n-workflow';

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

const users = () =>
	(bodies(sandbox()) as Array<{ nv: IDataObject[] }>).flatMap(({ nv }) =>
		nv.map(({ userID, user_attributes }) => [userID, user_attributes]),
	);

/** The body that arrives for a value; a refusal fails the test. */
async function sent(parameters: INodeParameters, value: unknown) {
	sandbox().reset();
	const rows = [{ id: 'C-1', value } as IDataObject];
	const { error } = await run(sandbox(), parameters, { rows, timezone: 'UTC' });
	expect(error).toBeUndefined();
	return onlyArrival(sandbox()).body;
}

describe('A space in an optional cell', () => {
	const assigned = (type: string) => ({ id: '1', name: type, type, value: column });
	const types = ['string', 'number', 'boolean', 'array', 'object'];
	const orders: Array<[string, INodeParameters]> = [
		[
			'a user',
			{
				...order.createUser,
				...{ name: column, email: column, mobile: column },
				customAttributes: { assignments: types.map(assigned) },
				additionalFields: { extraBodyFields: column },
			},
		],
		[
			'an event',
			{
				...order.trackEvent,
				...{ event_time: column, scheduleTimezone: column },
				attributes: { assignments: types.map(assigned) },
				additionalFields: { ltv: column, extraEventFields: column },
			},
		],
		[
			'a push',
			{
				...order.pushSend,
				additionalFields: {
					...{ notification_id: column, tag: column, image_url: column },
					...{ button_one_title: column, button_two_url: column },
				},
				options: { defaultCountry: column },
			},
		],
		[
			'an email',
			{
				...order.emailSend,
				additionalFields: { track_open: column, reply_to: column, email_cc: column, dnd: column },
			},
		],
	];
	it.each(orders)('counts as empty in every field of %s', async (_, parameters) => {
		const bare: INodeParameters = Object.fromEntries(
			Object.entries(parameters).filter(([, value]) => value !== column),
		);
		const none = { ...bare, customAttributes: {}, attributes: {}, additionalFields: {} };
		const empty = await sent(none, '');
		for (const cell of emptyCells)
			expect([cell, await sent(parameters, cell)]).toEqual([cell, empty]);
	});

	it('counts as empty in mapped columns, and clears them with Send Empty Values', async () => {
		const rows = emptyCells.map((cell, index) => ({
			id: `C-${index}`,
			...{ name: cell, email: cell, mobile: cell, city: cell, plan: 'gold' },
		}));
		await run(sandbox(), mapped, { rows });
		expect(users()).toEqual(rows.map(({ id }) => [id, { plan: 'gold' }]));
		sandbox().reset();
		await run(sandbox(), { ...mapped, options: { sendEmptyValues: true } }, { rows });
		const cleared = { name: '', email: '', mobile: '', city: '', plan: 'gold' };
		expect(users()).toEqual(rows.map(({ id }) => [id, cleared]));
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

	it('is refused where without it more people could be reached', async () => {
		for (const segment_id of emptyCells) {
			const rows = [{ value: segment_id }];
			const parameters = { ...order.emailToAll, additionalFields: { segment_id: column } };
			const { error } = await run(sandbox(), parameters, { rows });
			expect(error?.message).toContain('is empty, and without it the message could reach more');
		}
		expect(sandbox().record).toEqual([]);
	});
});

describe('A text of several placeholders, one of which is empty,', () => {
	it.each(joinedTexts)(
		'is refused with what joins the others: %j of %j',
		async (text, row, joined, allMissing) => {
			const parameters = (title: string) => ({
				...order.pushSend,
				...{ title: `=${title}`, options: { sendDuplicates: true } },
			});
			const rows = [row];
			const { error } = await run(sandbox(), parameters(text), { rows });
			const said = `${error?.message}\n${error?.description}`;
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
				const again = await run(sandbox(), parameters(better), { rows: [input] });
				return again.error?.message ?? (onlyArrival(sandbox()).body as { title: string }).title;
			};
			expect((await sentWith(row)).trim()).toBe(joined);
			const none = await sentWith(row.no === undefined ? {} : { no: row.no });
			if (allMissing !== '') expect(none).toBe(allMissing);
			else expect(none).toContain('is empty');
			const all = {
				first: 'Ana',
				last: 'Ng',
				title: 'Dr',
				'First Name': 'Ana',
				middle: 'B',
				no: 7,
			};
			expect(await sentWith({ ...all, a: all })).toMatch(/Ng/);
		},
	);

	it('is a name that a user can do without', async () => {
		const name = "={{ [$json.first, $json.last].filter(Boolean).join(' ') }}";
		const rows = [{ first: 'Ana', last: null }, {}];
		await run(
			sandbox(),
			{ ...order.createUser, userID: '={{ "C-" + $itemIndex }}', name },
			{ rows },
		);
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
		const assignments = [
			{ id: '1', name, type: 'string', value: `={{ $json.${name} }}` },
			{ id: '2', name: 'plan', type: 'string', value: '={{ $json.plan }}' },
		];
		const entered = {
			...order.createUser,
			userID: '={{ $json.id }}',
			customAttributes: { assignments },
		};
		for (const parameters of [mapped, entered]) {
			sandbox().reset();
			const refused = await run(sandbox(), parameters, { rows });
			expect(refused.error?.message).toContain('Nothing was sent');
			expect(sandbox().record).toEqual([]);
			const { error, hints } = await run(sandbox(), { ...parameters, options }, { rows });
			expect(error).toBeUndefined();
			expect(users()).toEqual([
				['C-1', { plan: 'gold' }],
				['C-2', { plan: 'silver' }],
			]);
			expect(hints.map(({ message }) => message)).toContain(
				`1 value was left out because it is not valid: '${name}' (1, item 0). The service keeps what it had. To see why, turn off 'Leave Out Invalid Values' in a preview.`,
			);
		}
	});

	it('counts them by field', async () => {
		const rows = [
			{ id: 'C-1', mobile: '12', email: 'anna@example.com' },
			{ id: 'C-2', mobile: '13', email: 'none' },
			{ id: 'C-3', mobile: '+4915112345678', email: '' },
		];
		const { hints } = await run(sandbox(), { ...mapped, options }, { rows });
		expect(users()).toEqual([
			['C-1', { email: 'anna@example.com' }],
			['C-2', {}],
			['C-3', { mobile: '+4915112345678' }],
		]);
		expect(hints[0]?.message).toContain(
			"3 values were left out because they are not valid: 'mobile' (2, items 0–1), 'email' (1, item 1)",
		);
	});

	it('leaves out fields and values of another type than chosen', async () => {
		const parameters = {
			...order.createUser,
			...{ name: '={{ $json.first }} {{ $json.last }}', email: column, mobile: column },
			customAttributes: {
				assignments: [
					{ id: '1', name: 'age', type: 'number', value: column },
					{ id: '2', name: 'vip', type: 'boolean', value: column },
					{ id: '3', name: 'plan', type: 'string', value: 'gold' },
				],
			},
			options,
		};
		const rows = [{ first: 'Ana', value: 'none yet' }];
		const { hints } = await run(sandbox(), parameters, { rows });
		expect(users()).toEqual([['C-1', { plan: 'gold' }]]);
		const [told] = hints.map(({ message }) => message);
		for (const name of ['name', 'email', 'mobile', 'age', 'vip'])
			expect(told).toContain(`'${name}' (1, item 0)`);
	});

	it('leaves out a field whose code n8n misreads', async () => {
		const rows = [{ first: 'Ana', 'e-mail': 'ana@example.com' }];
		const parameters = {
			...order.createUser,
			...{ name: '={{ $json.first | upcase }}', email: '={{ $json.e-mail }}' },
		};
		const refused = await run(sandbox(), parameters, { rows });
		expect(`${refused.error?.message}\n${refused.error?.description}`).toContain(
			'{{ $json.first.toUpperCase() }}',
		);
		expect(sandbox().record).toEqual([]);
		const { hints } = await run(sandbox(), { ...parameters, options }, { rows });
		expect(users()).toEqual([['C-1', {}]]);
		const [told] = hints.map(({ message }) => message);
		for (const name of ['name', 'email']) expect(told).toContain(`'${name}' (1, item 0)`);
	});

	it('clears nothing with Send Empty Values', async () => {
		const rows = [{ id: 'C-1', mobile: '12', city: '' }];
		await run(sandbox(), { ...mapped, options: { ...options, sendEmptyValues: true } }, { rows });
		expect(users()).toEqual([['C-1', { city: '' }]]);
	});

	it.each<[string, INodeParameters, IDataObject]>([
		['the ID', mapped, { id: '', mobile: '12' }],
		['the name of an attribute', mapped, { id: 'C-1', constructor: 'x' }],
		['extra fields', { ...mapped, additionalFields: { extraBodyFields: '[1]' } }, { id: 'C-1' }],
		[
			'a value of an event',
			{ ...mapped, ...order.trackEvent, operation: 'track' },
			{ id: 'C-1', city: 'M\ufffdnchen' },
		],
	])('still refuses %s', async (_, parameters, row) => {
		const { error, hints } = await run(sandbox(), { ...parameters, options }, { rows: [row] });
		expect(error?.message).toContain('Nothing was sent');
		expect(hints).toEqual([]);
		expect(sandbox().record).toEqual([]);
	});
});
