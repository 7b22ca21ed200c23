import type { ICredentialDataDecryptedObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { readSegments } from '../../../nodes/CustomerMessaging/run/segments';
import { searchSegments } from '../../../nodes/CustomerMessaging/run/segmentSearch';

describe('The segments of a credential', () => {
	it.each([
		['are one on each line', '42 VIP customers\n7 Newsletter'],
		['may have line breaks of any system', '42 VIP customers\r\n7 Newsletter\r'],
		[
			'may have spaces around them, tabs, and empty lines',
			'\n  42\tVIP customers \n\n 7  Newsletter',
		],
	])('%s', (_, text) => {
		expect(readSegments(text)).toEqual({
			names: new Map([
				['42', 'VIP customers'],
				['7', 'Newsletter'],
			]),
			problems: [],
		});
	});

	it('are none in empty text, and in a credential that was saved before there were any', () => {
		for (const text of ['', undefined])
			expect(readSegments(text)).toEqual({ names: new Map(), problems: [] });
	});

	it('keep IDs that are too large for a number', () => {
		expect([...readSegments('9007199254740993 Everyone in Asia').names]).toEqual([
			['9007199254740993', 'Everyone in Asia'],
		]);
	});

	it('may have names in any script, with digits and punctuation', () => {
		const { names } = readSegments('1 北京 2026\n2 50 % off, spring');
		expect([...names.values()]).toEqual(['北京 2026', '50 % off, spring']);
	});

	it.each([
		['a name alone', 'VIP customers'],
		['an ID alone', '42'],
		['the name before the ID', 'VIP 42'],
		['a colon', '42: VIP'],
		['zero', '0 Nobody'],
		['a negative ID', '-42 VIP'],
		['a fraction', '4.2 VIP'],
	])('are refused by the number of the line: %s', (_, line) => {
		const { names, problems } = readSegments(`7 Newsletter\n\n${line}\n8 Others`);
		expect([...names.keys()]).toEqual(['7', '8']);
		expect(problems).toEqual([
			{
				field: 'segments',
				message: `Line 3 of Segments, '${line}', is not a segment. Write its ID, a space and its name, such as 42 VIP customers`,
			},
		]);
	});

	it.each([
		[['42 VIP'], 'a list or object'],
		[42, "'42'"],
	])('are refused where they are no text: %j', (segments, what) => {
		expect(readSegments(segments)).toEqual({
			names: new Map(),
			problems: [
				{
					field: 'segments',
					message: `Segments must be text, but it is ${what}. Write one segment on each line`,
				},
			],
		});
	});

	it('are refused without the spaces around a line', () => {
		const [problem] = readSegments('  VIP  ').problems;
		expect(problem?.message).toMatch(/^Line 1 of Segments, 'VIP', is not a segment/);
	});

	it('are refused where an ID occurs twice', () => {
		expect(readSegments('42 VIP\n42 Very important').problems).toEqual([
			{
				field: 'segments',
				message: 'Line 2 of Segments repeats the ID 42. Enter each segment once',
			},
		]);
	});
});

/** The list as the editor gets it for this credential. */
async function listed(
	segments: string,
	filter?: string,
	{ authentication, asked = [] }: { authentication?: string; asked?: string[] } = {},
) {
	const editor = {
		getNodeParameter: (name: string, otherwise: string) =>
			name === 'authentication' ? (authentication ?? otherwise) : undefined,
		getCredentials: async (type: string): Promise<ICredentialDataDecryptedObject> => {
			asked.push(type);
			return { segments };
		},
		getNode: () => ({ name: 'Customer Messaging' }),
	} as unknown as ILoadOptionsFunctions;
	return (await searchSegments.call(editor, filter)).results;
}

describe('The list in the form', () => {
	const some = '42 VIP customers\n7 Newsletter\n421 Late payers';

	it('shows names with their IDs, sorted by name', async () => {
		expect(await listed(some)).toEqual([
			{ name: 'Late payers (ID 421)', value: '421' },
			{ name: 'Newsletter (ID 7)', value: '7' },
			{ name: 'VIP customers (ID 42)', value: '42' },
		]);
	});

	it('shortens a long name and keeps its ID', async () => {
		expect(await listed(`7 ${'Readers '.repeat(20)}`)).toEqual([
			{ name: `${'Readers '.repeat(7)}Read… (ID 7)`, value: '7' },
		]);
	});

	it.each([
		['vip', ['42']],
		[' Customers ', ['42']],
		['42', ['421', '42']],
		['nobody', []],
	])('is searched for %j', async (filter, ids) => {
		expect((await listed(some, filter)).map(({ value }) => value)).toEqual(ids);
	});

	it('reads the credential that the node uses', async () => {
		const asked: string[] = [];
		await listed(some, '', { authentication: 'partnerToken', asked });
		await listed(some, '', { authentication: 'apiKey', asked });
		await listed(some, '', { authentication: undefined, asked });
		await listed(some, '', { authentication: '={{ $json.by }}', asked });
		expect(asked).toEqual([
			'customerMessagingPartnerApi',
			'customerMessagingApi',
			'customerMessagingApi',
			'customerMessagingApi',
		]);
	});

	it('says where to enter segments if there are none', async () => {
		await expect(listed('')).rejects.toThrow(/no segments.*under 'Segments'.*By ID/);
	});

	it('names a line that is not a segment', async () => {
		await expect(listed('42 VIP\nNewsletter')).rejects.toThrow(/Line 2 of Segments, 'Newsletter'/);
	});
});
