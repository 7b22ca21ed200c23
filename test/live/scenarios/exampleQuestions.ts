import assert from 'node:assert/strict';
import type { Fault } from '../../../sandbox/index';
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
import { platforms } from '../examplePlay';
import type { Run } from '../run';
import { messaging, noOp } from '../../../scripts/n8n/workflows';
import { withParameters } from '../nodes';
import { nightly, nightlyWaiting } from '../scenario';
import { words } from './announcement';

const APPOINTMENT = 'appointment-confirmed-by-sms';
const asha = {
	...{ id: 'A-1038', userID: 'C-1001', name: 'Asha Rao', mobile: '+447700900101' },
	startsAt: '2030-01-15T15:30',
};

const CAMPAIGN = 'campaign-approved-by-push';
const campaignNamed = (campaign: string) => ({ ...words, campaign, author: 'author-1001' });

function toldToAuthor({ arrivals }: Pick<Run, 'arrivals'>): string[] {
	return arrivals.map(({ path, body }) => {
		const { user_id: to, message } = body as { user_id: string; message: string };
		assert.deepEqual([path, to], ['/api/v1/web/send', 'author-1001']);
		return message;
	});
}

const toldToDesk = (run: Run) =>
	run.arrivals.map(({ path, body }) => {
		const { message, ...rest } = body as { message: string };
		assert.equal(path, '/api/v1/web/send');
		assert.deepEqual(rest, {
			user_id: 'front-desk',
			title: 'Appointment A-1038: Asha Rao',
			url: 'https://clinic.example.com/appointments/A-1038',
		});
		return message;
	});

nightly('An appointment is confirmed or declined by SMS', async (bench) => {
	const workflow = await bench.create(bench.example(APPOINTMENT));
	const ask = async () => {
		const id = await bench.callAndAsk(workflow, asha);
		const [{ path, body } = {}, ...more] = bench.sandbox.record;
		const { mobile, message } = body as { mobile: string; message: string };
		assert.deepEqual([path, mobile, more], ['/api/v1/sendMessage', asha.mobile, []]);
		return { id, link: message.split('\n').at(-1) ?? '' };
	};
	const yes = await ask();
	const { html } = await open(yes.link);
	assert.match(html, /<bdi>EXSHOP<\/bdi>/);
	assert.match(html, />Dear Asha Rao, will you come to your appointment on 15 January, 15:30\?</);
	await assertRecorded(yes.link, 'approve', 'Yes, I will come');
	const confirmed = (await bench.ended(yes.id, 1)).succeeded();
	const user_attributes = { confirmed_appointment: 'A-1038' };
	assert.deepEqual(confirmed.paths, ['user/create']);
	assert.deepEqual(confirmed.bodies, [{ nv: [{ userID: 'C-1001', user_attributes }] }]);
	assert.equal(confirmed.items('Confirmed').length, 1);

	const no = await ask();
	await assertRecorded(no.link, 'decline', 'No, I cannot come');
	const declined = (await bench.ended(no.id, 1)).succeeded();
	assert.deepEqual(toldToDesk(declined), ['On 15 January, 15:30, +447700900101. Cannot come']);

	// Nobody can be asked, so the front desk is told why.
	const [told = '', ...more] = toldToDesk(
		(await bench.run(workflow, { ...asha, mobile: 'ask her' })).succeeded(),
	);
	assert.deepEqual(more, []);
	assert.match(told, /^On 15 January, 15:30, ask her\. .*Mobile/);
	await bench.client.deactivate(workflow.id);
});

nightly('A campaign goes to everyone only after a yes by push', async (bench) => {
	const { sandbox } = bench;
	const workflow = await bench.create(bench.example(CAMPAIGN));
	/** The question goes to each of the manager's platforms. What is sent later is returned. */
	const answered = async (campaign: string, decision: Decision, fault?: Fault) => {
		const id = await bench.callAndAsk(workflow, campaignNamed(campaign));
		const asked = sandbox.record.map(({ path }) => path).sort();
		assert.deepEqual(
			asked,
			platforms.map((platform) => `/api/v1/${platform}/send`),
		);
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
	const toAll = platforms.map((platform) => `${platform}/broadcast/all`);
	assert.deepEqual(approved.paths.sort(), toAll);
	assert.deepEqual(approved.bodies, [words, words, words]);
	assert.equal(approved.items('Sent to everyone').length, 3);

	// Send Once knows the campaign by its name.
	const again = await answered('Autumn', 'approve');
	assert.deepEqual([again.paths, again.items('Sent to everyone')], [[], []]);
	const declined = await answered('Winter', 'decline');
	assert.deepEqual(toldToAuthor(declined), ['Declined. Nothing was sent.']);

	// The manager is not asked about what cannot be sent.
	const tooLong = { ...campaignNamed('Winter'), title: 'T'.repeat(71) };
	const [unasked, ...more] = toldToAuthor((await bench.run(workflow, tooLong)).succeeded());
	assert.match(String(unasked), /Title[^]*70/);
	assert.deepEqual(more, []);

	const onIos = { kind: 'status', status: 400, match: { platform: 'ios' } } as const;
	const refused = await answered('Winter', 'approve', onIos);
	assert.equal(refused.items('Sent to everyone').length, 2);
	const arrivals = refused.arrivals.filter(({ path }) => path.endsWith('/send'));
	assert.match(
		toldToAuthor({ arrivals }).join(),
		/^ios: The service refused the request for everyone/,
	);
	await bench.client.deactivate(workflow.id);
});

/** A question that waits for two seconds, and then until n8n looks for such executions. */
const withShortWait = {
	options: {
		limitWaitTime: {
			values: { limitType: 'afterTimeInterval', resumeAmount: 0.04, resumeUnit: 'minutes' },
		},
	},
};

/**
 * The first question is approved, and nobody answers the second one in time, nor those of two examples, whose 24 hours
 * and whose evening no test can wait for. n8n looks once a minute, so all wait at once.
 */
nightlyWaiting('When the time of a question is over, executions go on', async (bench) => {
	const { sandbox } = bench;
	const second = messaging('Ask', { ...question, message: 'Sure?', ...withShortWait });
	const nodes = [messaging('First', question), second, noOp('Done')];
	const id = await bench.callAndAsk(await bench.behindWebhook('ask-limit', nodes), askedBody);
	await assertRecorded(linkSent(bench), 'approve');
	await bench.untilRequests(2);
	const link = linkSent(bench, 1);
	const impatient = async (file: string, node: string) =>
		await bench.create(withParameters(bench.example(file), node, withShortWait));
	const campaign = await impatient(CAMPAIGN, 'Ask the manager');
	const campaignId = await bench.call(campaign, campaignNamed('Spring'));
	const appointment = await impatient(APPOINTMENT, 'Ask by SMS');
	const appointmentId = await bench.call(appointment, asha);

	const answers = await answersOf(bench, id);
	assert.deepEqual(answers, [{}], 'the first answer is not the second');
	assert.match((await press(link, 'approve')).html, /No action required/i);
	assert.equal((await bench.ended(appointmentId)).succeeded().items('Reminded').length, 1);
	(await bench.ended(campaignId)).succeeded();
	const to = (text: string) => sandbox.record.filter(({ rawBody }) => rawBody.includes(text));
	assert.deepEqual([to('"C-1"').length, to('manager-1001').length], [2, 3]);
	assert.deepEqual(toldToAuthor({ arrivals: to('author-1001') }), [
		'Nobody answered within 24 hours. Nothing was sent.',
	]);
	const texts = to(asha.mobile).map((arrival) => (arrival.body as { message: string }).message);
	assert.match(
		texts.join(' | '),
		/will you come[^|]* \| Dear Asha Rao, we expect you on 15 January, 15:30\.[^|]*$/,
	);
	for (const stored of [campaign, appointment]) await bench.client.deactivate(stored.id);
});
