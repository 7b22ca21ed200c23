import type { INodeParameters } from 'n8n-workflow';

import { toldBy } from './support/sends';
import { run, useSandbox } from './support/service';

const sandbox = useSandbox();

const push: INodeParameters = {
	resource: 'push',
	operation: 'send',
	platforms: ['web'],
	recipientBy: 'user_id',
	user_id: '={{ $json.id }}',
	title: 'Hello',
	message: 'There',
	url: 'https://shop.example.com',
};
const rows = [
	{ id: 'u0', test: false, most: 5, key: 'apiKey', text: '5' },
	{ id: 'u1', test: false, most: 5, key: 'apiKey', text: '5' },
	{ id: 'u2', test: true, most: 6, key: 'partnerToken', text: '6' },
];

describe('A parameter that holds for the whole run and differs between items', () => {
	test.each<[label: string, field: string, INodeParameters]>([
		['Preview Only', 'previewOnly', { options: { previewOnly: '={{ $json.test }}' } }],
		['Retry Unknown', 'retryUnknown', { options: { retryUnknown: '={{ $json.test }}' } }],
		['Concurrency', 'concurrency', { options: { concurrency: '={{ Number($json.text) }}' } }],
		['Authentication', 'authentication', { authentication: '={{ $json.key }}' }],
		// n8n then requires the fields of all operations.
		[
			'Operation',
			'operation',
			{
				operation: '={{ $json.test ? "broadcastAll" : "send" }}',
				segment_id: 42,
				subscription_id: 'none',
				scheduledFor: '2027-03-05T09:30',
				nextTime: '09:30',
				nextDays: ['monday'],
				hoursFrom: '09:00',
				hoursTo: '20:00',
			},
		],
	])('is refused by its label: %s', async (label, _, changes) => {
		const { error } = await run(sandbox(), { ...push, ...changes }, { rows });
		expect(error?.message).toContain(`'${label}' holds for the whole run`);
		expect(error?.message).toContain('for item 2');
		expect(sandbox().record).toEqual([]);
	});

	test('is refused for every item if the run continues', async () => {
		const parameters = { ...push, options: { previewOnly: '={{ $json.test }}' } };
		const report = await run(sandbox(), parameters, { rows, onError: 'continueRegularOutput' });
		expect(toldBy(report).map(({ outcome }) => outcome)).toEqual(['invalid', 'invalid', 'invalid']);
		expect(sandbox().record).toEqual([]);
	});

	test('is refused if its expression cannot be read for one of the items', async () => {
		const parameters = {
			...push,
			options: { previewOnly: '={{ $json.id === "u1" ? $("Nowhere").first().json.test : false }}' },
		};
		const { error } = await run(sandbox(), parameters, { rows });
		expect(error?.message).toContain("The expression in 'Options' cannot be evaluated");
		expect(sandbox().record).toEqual([]);
	});
});

test('A parameter whose expression gives the same for all items is followed', async () => {
	const parameters = { ...push, options: { previewOnly: '={{ $json.id !== "nobody" }}' } };
	const { output } = await run(sandbox(), parameters, { rows });
	expect(output.map(({ json }) => json.outcome)).toEqual(['preview', 'preview', 'preview']);
});
