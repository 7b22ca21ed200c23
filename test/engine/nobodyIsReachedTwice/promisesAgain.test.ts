import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../../sandbox';
import { execute } from '../support/engine';
import { useNewStore } from '../support/memoryStore';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => {
	sandbox.reset();
	useNewStore();
});
afterAll(async () => await sandbox.close());

const credential = () => ({ ...sandbox.urls, brandId: 'sandbox-brand', apiKey: 'sandbox-key' });
const words = { title: 'Hello', message: 'World', url: 'https://example.com' };
const toUser: INodeParameters = {
	resource: 'push',
	operation: 'send',
	platforms: ['web'],
	user_id: '={{ $json.id }}',
	...words,
};
const usersReached = () => sandbox.accepted().map(({ body }) => (body as IDataObject).user_id);

describe.each<OnError>(['continueRegularOutput', 'continueErrorOutput'])(
	'with On Error %s',
	(onError) => {
		test('A bad first row does not make Retry On Fail send a broadcast again', async () => {
			const parameters = {
				resource: 'push',
				operation: 'broadcastAll',
				platforms: ['web'],
				...words,
				url: '={{ $json.url }}',
			};
			const rows = [{ url: 'no link' }, { url: 'https://example.com' }];
			await execute({ parameters, rows, credential: credential(), onError, retryOnFail: true });
			expect(sandbox.accepted().map(({ path }) => path)).toEqual(['/api/v1/web/broadcast/all']);
		});

		test('A value that cannot be inspected is refused for its own row, and the other rows are sent', async () => {
			const title = '={{ $json.id === "odd" ? "aXb".match(/(?<t>X)/).groups : "Hello" }}';
			const rows = [{ id: 'odd' }, { id: 'u1' }];
			const parameters = { ...toUser, platforms: ['android'], title };
			const { output, failed } = await execute({
				parameters,
				rows,
				credential: credential(),
				onError,
			});
			const [bad] = onError === 'continueErrorOutput' ? failed : output;
			expect(bad?.json.details).toMatchObject({ outcome: 'invalid' });
			expect(usersReached()).toEqual(['u1']);
		});
	},
);

test('An evaluation shows a broadcast and does not send it', async () => {
	const parameters = { resource: 'push', operation: 'broadcastAll', platforms: ['web'], ...words };
	const { output } = await execute({ parameters, credential: credential(), mode: 'evaluation' });
	expect(output[0]?.json.outcome).toBe('preview');
	expect(sandbox.record).toEqual([]);
});
