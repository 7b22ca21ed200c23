import assert from 'node:assert/strict';
import { FilledIn } from '../formPages';
import { nightly } from '../scenario';

const FILE = 'announcement-with-preview-and-approval';
const BROADCAST = 'Broadcast to everyone';
const CORRECT = 'Say what to correct';
const LOOK = 'Look at it';
export const words = {
	title: 'New season',
	message: 'The autumn collection is here.',
	url: 'https://shop.example.com/autumn',
};
const tester = 'me-1001';
const yes = 'Send it to everyone';

const valuesFor = (campaign: string, texts = Object.values(words)) => [...texts, campaign, tester];

const requests = (operation: string, body: object) =>
	['android', 'ios', 'web'].map((platform) => [`/api/v1/${platform}/${operation}`, body]);

/** Its pages, a mistake, a no and a yes are shown by the suite of the editor. */
nightly('The announcement goes out once for each name, and says where it failed', async (bench) => {
	const { sandbox } = bench;
	const workflow = await bench.create(bench.example(FILE));
	const fillIn = async (values: string[], next = LOOK) => {
		sandbox.reset();
		const filled = await FilledIn.at(bench, workflow, 'announcement', values);
		return { filled, page: await filled.pageOf(next) };
	};
	const goOn = async (filled: FilledIn) => {
		await filled.send();
		return await filled.pageOf('Approve or reject');
	};
	const decide = async (filled: FilledIn, decision: string, lastNode: string) => {
		await filled.send(decision);
		return await filled.lastPage(lastNode);
	};
	const sent = (operation: string) =>
		sandbox.record
			.filter(({ path }) => path.endsWith(operation))
			.map(({ path, body }) => [path, body] as const)
			.sort(([one], [other]) => one.localeCompare(other));

	// Changed at the last moment, it is tested anew.
	const { filled } = await fillIn(valuesFor('Approved'));
	await goOn(filled);
	const test = requests('send', { user_id: tester, ...words });
	assert.deepEqual(sent(''), test, 'only the test is sent before the yes');
	await filled.send('Change the text');
	await filled.pageOf(CORRECT);
	await filled.send('Newest season', ...valuesFor('Approved').slice(1));
	await filled.pageOf(LOOK);
	await goOn(filled);
	const { run } = await decide(filled, yes, 'Say that it was sent');
	assert.equal(sandbox.record.length, 9, 'two tests and one broadcast on each platform');
	const newest = { ...words, title: 'Newest season' };
	assert.deepEqual(sent('/all'), requests('broadcast/all', newest));
	assert.deepEqual(run.succeeded().outcomes(BROADCAST), Array(3).fill('accepted'));

	// The first page knows the campaign by its name. Send Once would skip its broadcast anyway.
	const others = ['Newer season', 'Other words, same campaign.', 'https://shop.example.com/'];
	const again = await fillIn(valuesFor('Approved', others), CORRECT);
	assert.match(again.page, /name 'Approved' was used already, and each name goes out once/);
	assert.deepEqual(sandbox.record, [], 'no test either');

	// One platform refuses: the form says which, the run ends as failed, and nothing is sent again.
	const { filled: refused } = await fillIn(valuesFor('One refused'));
	await goOn(refused);
	sandbox.faults.add({ kind: 'status', status: 400, match: { platform: 'ios' } });
	const failed = await decide(refused, yes, 'Say where it failed');
	assert.match(
		failed.page,
		/It did not go out everywhere[^]*Web: sent[^]*iOS: The service refused/,
	);
	assert.match(failed.page, /with the same campaign name, platforms that have it are skipped/);
	assert.equal(failed.run.status, 'error');
	assert.match(failed.run.failure, /^ios, rejected: /);
	assert.deepEqual(failed.run.outcomes(BROADCAST), ['accepted', 'accepted', 'rejected']);
	assert.equal(sent('/all').length, 3);
});
