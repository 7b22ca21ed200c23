import type { IDataObject } from 'n8n-workflow';

import * as order from './support/orders';
import { bodies, run, useSandbox } from './support/service';

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

	it('are counted if there are many', async () => {
		const input = [Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`c${at}`, at]))];
		expect(await messageOf({ userIdField: 'userID' }, input)).toContain(
			'Columns: c0, c1, c2, c3, c4 and 4 more.',
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
		expect(Object.keys(output[1]?.json ?? {})).toEqual(['error', 'details']);
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

describe('A broadcast from the editor', () => {
	it.each([
		['everyone', order.pushToAll, 'everyone on web'],
		['a segment', order.emailToSegment, 'segment 42'],
	])('to %s is named in a hint after it was sent', async (_, parameters, audience) => {
		const sent = await run(sandbox(), { ...parameters, testRuns: 'send' }, { mode: 'manual' });
		expect(sent.hints.map(({ message }) => message)).toContain(
			`This run by hand sent 1 broadcast to real people: ${audience}. To try out without sending, set 'When Run by Hand' to Show Only.`,
		);
		const byTrigger = await run(sandbox(), { ...parameters, testRuns: 'send' });
		expect(byTrigger.hints).toEqual([]);
	});
});
