import assert from 'node:assert/strict';
import type { Arrival, Fault } from '../../../sandbox/index';
import { messaging, noOp } from '../../../scripts/n8n/workflows';
import { platforms, toEach } from '../examplePlay';
import { withParameters } from '../nodes';
import {
	answersOf,
	askedBody,
	assertRecorded,
	linkSent,
	open,
	press,
	question,
	type Decision,
} from '../question';
import { nightly } from '../scenario';

const APPOINTMENT = 'appointment-confirmed-by-sms';
const asha = {
	...{ id: 'A-1038', userID: 'C-1001', name: 'Asha Rao', mobile: '+447700900101' },
	startsAt: '2030-01-15T15:30',
};
const CAMPAIGN = 'campaign-approved-by-push';
const words = {
	title: 'New season',
	message: 'The autumn collection is here.',
	url: 'https://shop.example.com/autumn',
};
const campaignNamed = (campaign: string) => ({ ...words, campaign, author: 'author-1001' });

/** The only messages, all of them to this user. */
const toldTo = (user: string, arrivals: readonly Arrival[]) =>
	arrivals.map(({ path, body }) => {
		const { user_id, message } = body as { user_id: string; message: string };
		assert.deepEqual([path, user_id], ['/api/v1/web/send', user]);
		return message;
	});

nightly('An appointment is confirmed or declined by SMS', async (bench) => {
	const workflow = await bench.create(bench.example(APPOINTMENT));
	/** Asks, opens the link of the SMS, answers, and returns what became of the execution. */
	const answered = async (decision: Decision, label: string) => {
		const id = await bench.callAndAsk(workflow, asha);
		const [{ path, body } = {}, ...more] = bench.sandbox.record;
		const { mobile, message } = body as { mobile: string; message: string };
		assert.deepEqual([path, mobile, more], ['/api/v1/sendMessage', asha.mobile, []]);
		const link = message.split('\n').at(-1) ?? '';
		const { html } = await open(link);
		assert.match(html, /<bdi>EXSHOP<\/bdi>/);
		assert.match(html, />Dear Asha Rao, will you come to your appointment on 15 January, 15:30\?</);
		await assertRecorded(link, decision, label);
		return (await bench.ended(id, 1)).succeeded();
	};
	const confirmed = await answered('approve', 'Yes, I will come');
	const user_attributes = { confirmed_appointment: 'A-1038' };
	assert.deepEqual(confirmed.paths, ['user/create']);
	assert.deepEqual(confirmed.bodies, [{ nv: [{ userID: 'C-1001', user_attributes }] }]);
	assert.equal(confirmed.items('Confirmed').length, 1);

	const declined = await answered('decline', 'No, I cannot come');
	const declines = ['On 15 January, 15:30, +447700900101. Cannot come'];
	assert.deepEqual(toldTo('front-desk', declined.arrivals), declines);

	// Nobody can be asked, so the front desk is told why.
	const { arrivals } = await bench.run(workflow, { ...asha, mobile: 'ask her' });
	const told = toldTo('front-desk', arrivals).join(' | ');
	assert.match(told, /^On 15 January, 15:30, ask her\. [^|]*Mobile[^|]*$/);
	await bench.client.deactivate(workflow.id);
});

nightly('A campaign goes to everyone only after a yes by push', async (bench) => {
	const { sandbox } = bench;
	const workflow = await bench.create(bench.example(CAMPAIGN));
	/** The question goes to each of the manager's platforms. What is sent later is returned. */
	const answered = async (campaign: string, decision: Decision, fault?: Fault) => {
		const id = await bench.callAndAsk(workflow, campaignNamed(campaign));
		const asked = sandbox.record.map(({ path }) => path.split('/')[3]);
		assert.deepEqual(asked.sort(), platforms);
		const { user_id: to, url } = sandbox.record[0]?.body as { user_id: string; url: string };
		assert.equal(to, 'manager-1001');
		const { html } = await open(url);
		for (const shown of [`<h1 dir="auto">Campaign ${campaign}</h1>`, ...Object.values(words)])
			assert.ok(html.includes(shown), shown);
		if (fault) sandbox.faults.add(fault);
		await assertRecorded(url, decision);
		return (await bench.ended(id, 3)).succeeded();
	};
	const approved = await answered('Autumn', 'approve');
	const sent = approved.bodies.map((body, index) => [approved.paths[index], body]);
	assert.deepEqual(sent.sort(), toEach(words, 'broadcast/all'));
	assert.equal(approved.items('Sent to everyone').length, 3);

	// Send Once knows the campaign by its name.
	const again = await answered('Autumn', 'approve');
	assert.deepEqual([again.paths, again.items('Sent to everyone')], [[], []]);
	const declined = await answered('Winter', 'decline');
	assert.deepEqual(toldTo('author-1001', declined.arrivals), ['Declined. Nothing was sent.']);

	// The manager is not asked about what cannot be sent.
	const tooLong = { ...campaignNamed('Winter'), title: 'T'.repeat(71) };
	const { arrivals } = (await bench.run(workflow, tooLong)).succeeded();
	assert.match(toldTo('author-1001', arrivals).join(' | '), /^[^|]*Title[^|]*70[^|]*$/);

	const onIos = { kind: 'status', status: 400, match: { platform: 'ios' } } as const;
	const refused = await answered('Winter', 'approve', onIos);
	assert.equal(refused.items('Sent to everyone').length, 2);
	const toAuthor = refused.arrivals.filter(({ path }) => path.endsWith('/send'));
	const says = /^ios: The service refused the request for everyone/;
	assert.match(toldTo('author-1001', toAuthor).join(), says);
	await bench.client.deactivate(workflow.id);
});

/** A question that waits for two seconds, and then until n8n looks for such executions. */
const values = { limitType: 'afterTimeInterval', resumeAmount: 0.04, resumeUnit: 'minutes' };
const withShortWait = { options: { limitWaitTime: { values } } };

/**
 * The first question is approved, and nobody answers the second one in time, nor those of two examples, whose 24 hours
 * and whose evening no test can wait for. n8n looks once a minute, so all wait at once.
 */
nightly('When the time of a question is over, executions go on', async (bench) => {
	const { sandbox } = bench;
	const second = messaging('Ask', { ...question, message: 'Sure?', ...withShortWait });
	const nodes = [messaging('First', question), second, noOp('Done')];
	const id = await bench.callAndAsk(await bench.behindWebhook('ask-limit', nodes), askedBody);
	await assertRecorded(linkSent(bench), 'approve');
	await bench.untilRequests(2);
	const link = linkSent(bench, 1);
	const ask = async (file: string, node: string, body: object) => {
		const impatient = withParameters(bench.example(file), node, withShortWait);
		const stored = await bench.create(impatient);
		return { stored, run: await bench.call(stored, body) };
	};
	const campaign = await ask(CAMPAIGN, 'Ask the manager', campaignNamed('Spring'));
	const appointment = await ask(APPOINTMENT, 'Ask by SMS', asha);

	const answers = await answersOf(bench, id);
	assert.deepEqual(answers, [{}], 'the first answer is not the second');
	assert.match((await press(link, 'approve')).html, /No action required/i);
	const reminded = (await bench.ended(appointment.run)).succeeded();
	assert.equal(reminded.items('Reminded').length, 1);
	(await bench.ended(campaign.run)).succeeded();
	const to = (text: string) => sandbox.record.filter(({ rawBody }) => rawBody.includes(text));
	assert.deepEqual([to('"C-1"').length, to('manager-1001').length], [2, 3]);
	const unanswered = ['Nobody answered within 24 hours. Nothing was sent.'];
	assert.deepEqual(toldTo('author-1001', to('author-1001')), unanswered);
	const texts = to(asha.mobile).map(({ body }) => (body as { message: string }).message);
	assert.match(
		texts.join(' | '),
		/will you come[^|]* \| Dear Asha Rao, we expect you on 15 January, 15:30\.[^|]*$/,
	);
	for (const { stored } of [campaign, appointment]) await bench.client.deactivate(stored.id);
});
