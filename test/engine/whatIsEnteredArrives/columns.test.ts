import type { IDataObject } from 'n8n-workflow';

import * as order from '../support/orders';
import { bodies, run, useSandbox } from '../support/service';

const sandbox = useSandbox();
const mapped = { resource: 'user', operation: 'create', dataMode: 'autoMapInputData' };
const rows = [{ customerId: 'C-1', email: 'anna@example.com', plan: 'gold' }];

async function messageOf(parameters: IDataObject, input: IDataObject[] = rows) {
	const { error } = await run(sandbox(), { ...mapped, ...parameters }, { rows: input });
	expect(sandbox().record).toEqual([]);
	return error?.message;
}

describe('Mapped columns', () => {
	it('are named if the one with the ID is missing', async () => {
		expect(await messageOf({ userIdField: 'userID' })).toBe(
			"Nothing was sent: The input has no column 'userID'. Columns: customerId, email, plan. Enter the one with the user's ID under 'User ID Field'",
		);
	});

	it('are named if the one with the ID is empty', async () => {
		expect(await messageOf({ userIdField: 'customerId' }, [{ customerId: '' }])).toBe(
			"Nothing was sent: User ID (column 'customerId') is empty. Fill it in",
		);
	});

	it.each([
		['customerId'],
		['={{ $json.customerId }}'],
		['={{ $json["customerId"] }}'],
		["={{$json['customerId']}}"],
	])('are found where User ID Field is %s', async (userIdField) => {
		await run(sandbox(), { ...mapped, userIdField }, { rows });
		expect(bodies(sandbox())).toEqual([
			{ nv: [{ userID: 'C-1', user_attributes: { email: 'anna@example.com', plan: 'gold' } }] },
		]);
	});

	it('are found by an expression that returns the name of a column', async () => {
		const named = [{ ...rows[0], idColumn: 'customerId' }];
		const parameters = {
			...mapped,
			userIdField: '={{ $json.idColumn + "" }}',
			ignoreFields: 'idColumn',
		};
		await run(sandbox(), parameters, { rows: named });
		expect(bodies(sandbox())).toMatchObject([{ nv: [{ userID: 'C-1' }] }]);
	});
});

describe('Numbers and yes or no in other notations', () => {
	const asking = (type: string, value: string) => ({
		...order.createUser,
		customAttributes: { assignments: [{ id: '1', name: 'x', value, type }] },
	});

	it.each<[type: string, value: string, code: string, sent: unknown]>([
		['number', '49,90', "$json['Col A']?.toString().replace(',', '.')", 49.9],
		[
			'number',
			'4.410,23',
			"$json['Col A']?.toString().replaceAll('.', '').replace(',', '.')",
			4410.23,
		],
		['number', '4,410.23', "$json['Col A']?.toString().replaceAll(',', '')", 4410.23],
		[
			'boolean',
			'ja',
			"({ 'ja': true, 'nein': false })[$json['Col A']?.toString().toLowerCase()]",
			true,
		],
		[
			'boolean',
			'Nein',
			"({ 'ja': true, 'nein': false })[$json['Col A']?.toString().toLowerCase()]",
			false,
		],
		[
			'boolean',
			'yes',
			"({ 'yes': true, 'no': false })[$json['Col A']?.toString().toLowerCase()]",
			true,
		],
	])(
		'of type %s are refused with the expression that reads %s',
		async (type, value, code, sent) => {
			const kind = type === 'number' ? 'a number' : 'true or false';
			const input = [{ 'Col A': value }];
			const { error } = await run(sandbox(), asking(type, "={{ $json['Col A'] }}"), {
				rows: input,
			});
			expect(error?.message).toBe(
				`Nothing was sent: Custom Attributes: The attribute 'x' must be ${kind}, but it is '${value}'. Convert it: {{ ${code} }}`,
			);
			await run(sandbox(), asking(type, `={{ ${code} }}`), { rows: input });
			expect(bodies(sandbox())).toMatchObject([{ nv: [{ user_attributes: { x: sent } }] }]);
		},
	);

	it.each(['4,410', 'many', '1.2.3'])(
		'are not converted where it is not clear: %s',
		async (value) => {
			const { error } = await run(sandbox(), asking('number', value));
			expect(error?.message).toContain(`but it is '${value}'. Correct it or choose another type`);
		},
	);

	it('need one expression, and take one line, with and without dots in the thousands', async () => {
		const input = ['49,90', '4.410,23', '9,90', '1.000,00', '5,5', '7,0'].map((sum) => ({ sum }));
		const { error } = await run(sandbox(), asking('number', '={{ $json.sum }}'), { rows: input });
		expect(error?.message).toContain('6 of 6 items need a correction');
		const code = "{{ $json.sum?.toString().replaceAll('.', '').replace(',', '.') }}";
		const lines = String(error?.description).replaceAll('&#39;', "'").split('<br>');
		expect(lines[0]).toMatch(/it is '4\.410,23'.* 6 items, for example item 1/);
		expect(lines[0]).toContain(code);
		expect(lines).toHaveLength(2);
	});

	it('are converted where the field has no column of its own', async () => {
		const tracked = { ...order.trackEvent, additionalFields: { ltv: '={{ $json.sum }}' } };
		const { error } = await run(sandbox(), tracked, { rows: [{ sum: '49,90' }] });
		expect(error?.message).toMatch(
			/such as 49\.90, but it is '49,90'\. Convert it: \{\{ \$json\.column\?\.toString\(\)\.replace\(',', '\.'\) \}\}$/,
		);
	});

	it('are named where mapped columns keep them as text', async () => {
		const input = [
			{
				userID: '1',
				sum: '49,90',
				age: '7',
				zip: '04109',
				note: '1',
				count: 1,
				mobile: '+4915112345678',
			},
			{ userID: '2', sum: '4.410,23', age: '', zip: '80331', note: 'x', count: 2, mobile: '' },
		];
		const { hints } = await run(sandbox(), mapped, { rows: input });
		expect(hints.map(({ message }) => message)).toEqual([
			"Columns hold numbers that stay text: 'sum' (such as '49,90'), 'age' (such as '7'). To send numbers, choose Define Below and the type Number, or convert them in an Edit Fields node before. For codes, such as postal codes, text is right.",
		]);
	});
});

describe('With Include Input Fields', () => {
	const options = { includeInputFields: true };
	const input = [
		{ id: 'C-1', title: 'Hello', result: 'old' },
		{ id: 'C-2', title: '' },
	];
	const parameters = {
		...order.pushSend,
		user_id: '={{ $json.id }}',
		title: '={{ $json.title }}',
		options,
	};

	it("an accepted item holds the row's columns, and what the node adds under result", async () => {
		const { output } = await run(sandbox(), parameters, {
			rows: input,
			onError: 'continueRegularOutput',
		});
		expect(output[0]?.json).toEqual({
			id: 'C-1',
			title: 'Hello',
			result: expect.objectContaining({ outcome: 'accepted', user_id: 'C-1' }) as object,
		});
		expect(Object.keys(output[1]?.json ?? {})).toEqual(['error', 'outcome', 'details']);
	});

	it('a previewed item does so too, and has no outcome beside the columns', async () => {
		const { output } = await run(
			sandbox(),
			{ ...parameters, options: { ...options, previewOnly: true } },
			{ rows: input.slice(0, 1) },
		);
		expect(output[0]?.json).toMatchObject({ id: 'C-1', result: { outcome: 'preview' } });
		expect(output[0]?.json).not.toHaveProperty('outcome');
	});
});
