import type { IDataObject, INodeParameters } from 'n8n-workflow';

import * as order from './support/orders';
import { push } from './support/sends';
import { bodies, run, useSandbox } from './support/service';

const sandbox = useSandbox();

const same = (hint: string) => / same as an earlier one of this run/.test(hint);

/** The hint about messages that are the same. */
async function hintsOf(parameters: INodeParameters, rows: IDataObject[]): Promise<string[]> {
	const { hints, error } = await run(sandbox(), parameters, { rows });
	expect(error).toBeUndefined();
	return hints.map(({ message }) => message).filter(same);
}

const rows = (...ids: string[]) => ids.map((id) => ({ id }));

describe('The same message to the same recipient', () => {
	it('is counted in a hint, with its recipients and rows', async () => {
		expect(await hintsOf(push(), rows('u1', 'u2', 'u1', 'u3', 'u1', 'u2'))).toEqual([
			"3 messages are the same as an earlier one of this run to the same recipient: 'u1' (items 0, 2, 4), 'u2' (items 1, 5). To send each of them only once, turn on 'Send Once', or place a Remove Duplicates node before this one",
		]);
		expect(bodies(sandbox())).toHaveLength(6);
	});

	it('is named once for all platforms of a push', async () => {
		expect(await hintsOf(push({}, ['web', 'ios']), rows('u1', 'u1'))).toEqual([
			expect.stringMatching(/^2 messages are .*: 'u1' \(items 0–1\)\. To send/) as string,
		]);
	});

	it('is named in a preview too', async () => {
		expect(await hintsOf(push({ previewOnly: true }), rows('u1', 'u1'))).toEqual([
			expect.stringMatching(/^1 message is .*To send it only once/) as string,
		]);
	});

	it.each<[string, INodeParameters]>([
		['email', order.emailSend],
		['SMS', order.smsSend],
	])('is found in %s', async (_, parameters) => {
		expect(await hintsOf(parameters, [{}, {}])).toHaveLength(1);
	});

	it('is not seen in long texts that begin alike and are equally long', async () => {
		const begin = 'x'.repeat(300);
		const parameters = { ...order.emailSend, content: `={{ $json.text }}` };
		expect(await hintsOf(parameters, [{ text: `${begin} 1` }, { text: `${begin} 2` }])).toEqual([]);
		expect(
			await hintsOf(parameters, [{ text: `${begin} 1` }, { text: `${begin} 1` }]),
		).toHaveLength(1);
	});

	it.each<[string, INodeParameters]>([
		['with Send Once', { ...push(), sendOnce: true }],
		['to other recipients', { ...push(), user_id: '={{ $json.other }}' }],
		['at another time', { ...push(), sendAt: 'delay', time: '={{ $json.delay }}' }],
		['that is a user', { ...order.createUser, userID: '={{ $json.id }}' }],
		['that is an event', { ...order.trackEvent, userID: '={{ $json.id }}' }],
		['that is a custom request', order.customPost],
	])('is not hinted at %s', async (_, parameters) => {
		const input = [1, 2].map((delay) => ({ id: 'u1', other: `u${delay}`, delay }));
		expect(await hintsOf(parameters, input)).toEqual([]);
	});
});
