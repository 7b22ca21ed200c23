import type { INodeParameters, OnError } from 'n8n-workflow';

import type { Fault } from '../../../sandbox';
import { n8nAddress, untilNodeEnds } from '../support/engine';
import { everythingIn } from '../support/everything';
import { type Execution, ExecutionList } from '../support/executionList';
import { each, hintsIn, type Turn, useNode } from '../support/node';
import { emailSend, smsSend } from '../support/orders';
import type { PageRequest } from '../support/pages';

const node = useNode();
/** One list for all tests, so that no two executions have the same link. */
const list = new ExecutionList();
beforeEach(() => (node.list = list));

const operation = 'sendAndWait';
const question = { title: 'Spring sale', message: 'May it go out to 5,000 customers?' };
const toUser = { recipientBy: 'user_id', user_id: 'C-1' };
const push = { resource: 'push', operation, platforms: ['web'], ...toUser, ...question };
const sms = { ...smsSend, operation, message: 'Will you come tomorrow at 10:00?' };
const { content: _, ...emailFields } = emailSend;
const chairs = 'Buy <b>500</b> chairs?\nThey cost "a lot" & more.';
const email = { ...emailFields, operation, subject: 'Please decide', message: chairs };
const labels = { approvalType: 'double', approveLabel: 'Send it', disapproveLabel: 'Stop <it>' };
const yesOrNo = { ...push, approvalOptions: { values: labels } };
const forText = { ...push, responseType: 'freeText' };

const ask = async (parameters: INodeParameters, rest: Turn = {}) =>
	await node.start({ parameters, ...rest });

function linkOf(index = 0): string {
	const body = node.sandbox.record[index]?.body as Record<string, string>;
	const { url, message = '', content = '' } = body;
	const found = url ?? /href="([^"]+)"/.exec(content)?.[1] ?? message.split('\n').at(-1) ?? '';
	return found.replaceAll('&amp;', '&');
}

/** Opens the link of the first message. */
const open = (asked: Execution, request: Partial<PageRequest> = {}) =>
	list.open(asked, { link: linkOf(), ...request });
const answer = (asked: Execution, form: PageRequest['form'], rest: Partial<PageRequest> = {}) =>
	open(asked, { method: 'POST', form, ...rest });
const approve = { decision: 'approve' };
const closed = (status: number) => ({ status, output: undefined });

const buttonsOf = ({ html }: Awaited<ReturnType<typeof open>>) =>
	[...html.matchAll(/<button[^>]*>\s*<bdi>(.*?)<\/bdi>/g)].map(([, label]) => label);
const waits = ({ run }: Execution) => run.waitTill !== undefined;
const jsonOf = ({ output }: Execution) => output.map(({ json }) => json);

const lost: Fault = { kind: 'statusAfterAccept', status: 503 };
const refused: Fault = { kind: 'status', status: 400, match: { platform: 'android' } };

describe('A question by push', () => {
	test('goes out with the link to its page, and the execution waits', async () => {
		const asked = await ask(push, { rows: [{ id: 7 }] });
		expect(node.bodies()).toEqual([{ user_id: 'C-1', ...question, url: linkOf() }]);
		const page = `${n8nAddress}/webhook-waiting/${asked.id}/subject`;
		expect(linkOf()).toMatch(new RegExp(`^${page}\\?signature=[0-9a-f]{64}$`));
		expect(asked.run.waitTill).toEqual(new Date('3000-01-01T00:00:00.000Z'));
		expect(asked.run.data.validateSignature).toBe(true);
		expect(jsonOf(asked)).toEqual([{ id: 7 }]);
		expect(hintsIn(asked)).toBe('The execution waits for the answer.');
	});

	test('is shortened, and its page shows it whole', async () => {
		const message = `Refund ${'🙂'.repeat(300)} to C-1?`;
		const asked = await ask({ ...push, platforms: ['android', 'ios', 'web'], message });
		expect(node.arrived('message')).toEqual(each(`Refund ${'🙂'.repeat(122)}…`, 3));
		expect((await open(asked)).html).toContain(`>${message}</p>`);
	});

	test.each<[string, Fault, string[], RegExp]>([
		['it is unknown', lost, ['web'], /^The question may not have arrived on web: .*503.*\n/],
		['one of two was', refused, ['android', 'web'], /^The question was not sent on android: .*400/],
	])('that may have arrived waits, and tells what is not sure: %s', async (...one) => {
		const [, fault, platforms, words] = one;
		node.sandbox.faults.add(fault);
		const asked = await ask({ ...push, platforms }, { retryOnFail: true });
		expect(waits(asked)).toBe(true);
		expect(hintsIn(asked)).toMatch(words);
		expect(node.sandbox.record).toHaveLength(platforms.length);
		expect((await answer(asked, approve)).output).toHaveLength(1);
	});
});

test('The link is the last line of an SMS', async () => {
	await ask(sms);
	const message = `${sms.message}\n${linkOf()}`;
	expect(node.bodies()).toMatchObject([{ mobile: '+919812345679', message }]);
});

test('The link is a button of an email without markup, and opens a page in the name of the sender', async () => {
	const asked = await ask(email);
	const [body] = node.bodies() as [Record<string, string>];
	expect(body).not.toHaveProperty('message');
	const text =
		'<p>Buy &lt;b&gt;500&lt;/b&gt; chairs?<br>They cost &quot;a lot&quot; &amp; more.</p>';
	expect(body.content).toContain(text);
	expect(body.content).toMatch(/<a href="http:\/\/localhost:5678[^"]+" [^>]+>Respond<\/a>/);
	// The address has no place to break on a phone.
	expect(body.content).toMatch(/style="[^"]*word-break:break-all">http:\/\/localhost:5678/);
	const { html } = await open(asked);
	expect(html).toContain('<p class="from"><bdi>Acme Shop</bdi></p>');
	expect(html).toContain('<h1 dir="auto">Please decide</h1>');
	expect(html).toContain('Buy &lt;b&gt;500&lt;/b&gt; chairs?\nThey cost');
});

describe('The page', () => {
	test('decides nothing when it is opened, and loads and runs nothing', async () => {
		const page = await open(await ask(yesOrNo));
		expect(page).toMatchObject(closed(200));
		expect(buttonsOf(page)).toEqual(['Send it', 'Stop &lt;it&gt;']);
		expect(page.html).not.toMatch(/<script|src=|href=|url\(|@import/);
		expect(page.headers).toMatchObject({
			'content-security-policy':
				"default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
			'cache-control': 'no-store',
			'referrer-policy': 'no-referrer',
		});
	});

	test.each([
		['approve', true, 'Send it'],
		['decline', false, 'Stop &lt;it&gt;'],
	])('takes %s from its buttons', async (decision, approved, label) => {
		const asked = await ask(yesOrNo);
		const before = new Date().toISOString();
		const { output, html } = await answer(asked, { decision });
		const { respondedAt } = output?.[0]?.json.data as { respondedAt: string };
		const json = { data: { approved, respondedAt } };
		expect(output).toEqual([{ json, pairedItem: { item: 0 } }]);
		const times = [before, respondedAt, new Date().toISOString()];
		expect(times).toEqual([...times].sort());
		expect(html).toContain(`<p class="answer" dir="auto">${label}</p>`);
	});

	test('takes a text that is neither empty nor too long', async () => {
		const asked = await ask(forText);
		for (const text of [' \n ', 'x'.repeat(5_001)]) {
			const page = await answer(asked, { text });
			expect(page).toMatchObject(closed(400));
			expect(page.html).toContain('Enter an answer of up to 5,000 characters.');
		}
		const { output, html } = await answer(asked, { text: '  Yes,\r\nbut <later>\u0000 ' });
		const respondedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
		expect(output?.[0]?.json).toEqual({ data: { text: 'Yes,\nbut <later>', respondedAt } });
		expect(html).toContain('Yes,\nbut &lt;later&gt;</p>');
	});

	test('says what the sender did not write in the language of the browser', async () => {
		const asked = await ask({ ...forText, options: { responseFormButtonLabel: 'Svar' } });
		const { html } = await open(asked, { acceptLanguage: 'da, de-AT;q=0.9' });
		expect(html).toContain('<html lang="de">');
		const said = html.replace(/<style>[^]*<\/style>|<title>.*<\/title>|<[^>]*>/g, '\n').trim();
		expect(said.split(/\s*\n\s*/)).toEqual([
			...[question.title, question.message, 'Svar'],
			'Es geschieht nichts, bis Sie eine Schaltfläche drücken.',
		]);
	});

	test.each([
		['en-GB,en;q=0.9', 'en', 'Your answer was recorded.', 'Approve', 'Decline', 'Send'],
		['de', 'de', 'Ihre Antwort wurde gespeichert.', 'Genehmigen', 'Ablehnen', 'Senden'],
		['fr-CA', 'fr', 'Votre réponse a été enregistrée.', 'Approuver', 'Refuser', 'Envoyer'],
		['nl,*', 'nl', 'Uw antwoord is opgeslagen.', 'Goedkeuren', 'Afwijzen', 'Versturen'],
		['ES', 'es', 'Su respuesta ha sido registrada.', 'Aprobar', 'Rechazar', 'Enviar'],
		['da;q=0.9, it;q=0.2', 'it', 'La risposta è stata registrata.', 'Approva', 'Rifiuta', 'Invia'],
		['en;q=0.5,pt-BR;q=0.8', 'pt', 'A sua resposta foi recebida.', 'Aprovar', 'Recusar', 'Enviar'],
		['de;q=0,pl;q=0.1', 'pl', 'Odpowiedź została zapisana.', 'Zatwierdź', 'Odrzuć', 'Wyślij'],
		['constructor,;q=x', 'en', 'Your answer was recorded.', 'Approve', 'Decline', 'Send'],
	])('has buttons and a confirmation for a browser that asks for %s', async (...one) => {
		const [acceptLanguage, lang, words, yes, no, send] = one;
		const asked = await ask(push);
		expect(buttonsOf(await open(asked, { acceptLanguage }))).toEqual([yes, no]);
		const { html } = await answer(asked, approve, { acceptLanguage });
		expect(html).toContain(`<html lang="${lang}">`);
		expect(html).toContain(`<h1>${words}</h1>`);
		expect(html).toContain(`<p class="answer" dir="auto">${yes}</p>`);

		node.sandbox.reset();
		expect(buttonsOf(await open(await ask(forText), { acceptLanguage }))).toEqual([send]);
	});

	// n8n stores all of these once one of them is changed.
	const untouched = { approveLabel: 'Approve', disapproveLabel: 'Decline' };
	test.each([
		['the only one', { approvalType: 'single', ...untouched }, ['Genehmigen']],
		['emptied', { approveLabel: '', disapproveLabel: '' }, ['Genehmigen', 'Ablehnen']],
		['changed', { ...untouched, approveLabel: 'Go' }, ['Go', 'Ablehnen']],
	])('in German has a label that was %s', async (_how, values, labels) => {
		const asked = await ask({ ...push, approvalOptions: { values } });
		expect(buttonsOf(await open(asked, { acceptLanguage: 'de' }))).toEqual(labels);
	});
});

describe('What n8n keeps of an execution does not hold the signature of the link', () => {
	const signature = () => new URL(linkOf()).searchParams.get('signature') ?? 'none';
	/** Everything but the log of requests that the sandbox keeps. */
	const kept = ({ run, output, failed, hints, error }: Execution) =>
		everythingIn([run, output, failed, hints, error]);

	test.each<[string, INodeParameters, OnError?]>([
		['while a push waits for its answer', push],
		['while an email waits for its answer', email],
		['while an SMS waits for its answer', sms],
		['after the service refused it', push, 'stopWorkflow'],
		['after the service refused it and the workflow goes on', push, 'continueErrorOutput'],
	])('%s', async (...one) => {
		const [, parameters, onError] = one;
		const isRefused = onError !== undefined;
		if (isRefused) node.sandbox.faults.add({ kind: 'status', status: 400 });
		const asked = await ask(parameters, { onError });
		expect(waits(asked)).toBe(!isRefused);
		expect(signature()).toMatch(/^[0-9a-f]{64}$/);
		expect(kept(asked)).not.toContain(signature());
	});

	test('in a preview, which asks nobody and does not wait', async () => {
		const asked = await ask({ ...email, options: { previewOnly: true } });
		expect(waits(asked)).toBe(false);
		expect(node.sandbox.record).toEqual([]);
		expect(jsonOf(asked)).toMatchObject([{ outcome: 'preview', body: { subject: email.subject } }]);
		expect(kept(asked)).toContain('signature=…');
		expect(kept(asked)).not.toMatch(/signature=[0-9a-f]/);
	});

	test('so that what is stored opens no page', async () => {
		const asked = await ask(push);
		const { contextData } = asked.run.data.executionData ?? {};
		const stored = String(contextData?.['node:Customer Messaging']?.asked);
		const { signatureHash } = JSON.parse(stored) as { signatureHash: string };
		const link = linkOf().replace(signature(), encodeURIComponent(signatureHash));
		expect(await answer(asked, approve, { link })).toMatchObject(closed(410));
	});
});

const limited = (values: INodeParameters) => ({ options: { limitWaitTime: { values } } });
const hours = (resumeAmount: number) =>
	limited({ limitType: 'afterTimeInterval', resumeAmount, resumeUnit: 'hours' });
const until = (maxDateAndTime: string) => limited({ limitType: 'atSpecifiedTime', maxDateAndTime });

test("The wait ends after the chosen interval, or at the chosen time in the workflow's zone", async () => {
	const before = Date.now();
	const { run } = await ask({ ...push, ...hours(1.5) });
	const waited = Number(run.waitTill) - before;
	expect(waited).toBeGreaterThanOrEqual(90 * 60_000);
	expect(waited).toBeLessThan(91 * 60_000);

	const parameters = { ...push, ...until('2999-07-01T18:00:00') };
	const asked = await ask(parameters, { timezone: 'Europe/Berlin' });
	expect(asked.run.waitTill).toEqual(new Date('2999-07-01T16:00:00Z'));
	expect(hintsIn(asked)).toContain('until Mon 1 Jul 2999, 18:00, Europe/Berlin');
});

test('The wait is over with the input, without the answer to a question before, as a hint says', async () => {
	const row = { id: 7, name: 'Anna' };
	const rows = [{ ...row, data: { approved: true } }];
	const asked = await ask(push, { rows, onError: 'continueErrorOutput' });
	expect(hintsIn(asked)).toContain("The input has a column 'data'. If nobody answers,");
	const over = await list.timeIsOver(asked);
	expect([jsonOf(over), over.failed]).toEqual([[row], []]);
	expect(node.sandbox.record).toHaveLength(1);
});

// n8n then also requires the fields of the other operations.
const byExpression = {
	...{ operation: `={{ 'sendAndWait' }}`, url: 'https://example.com', segment_id: 1 },
	...{ scheduledFor: '2999-01-01T10:00', hoursFrom: '09:00', hoursTo: '20:00', nextDays: [1] },
	...{ subscription_id: 'S-1', nextTime: '10:00' },
};
const ownLink = { additionalFields: { extraBodyFields: '{"url":"https://example.com"}' } };
const several =
	/There are 2 items.*Loop Over Items.*turn off its option 'Wait For Sub-Workflow Completion'/;
const loopback = /lead to http:\/\/localhost:5678.*WEBHOOK_URL/;
const elsewhere = { account: { pushUrl: 'https://push.example.com' } };

test.each<[string, INodeParameters, INodeParameters, RegExp, Turn?]>([
	['by an expression', push, byExpression, /Choose the operation from its list/],
	['with a long title', push, { platforms: ['ios'], title: 'x'.repeat(71) }, /Title has 71/],
	['with a long SMS', sms, { message: 'я'.repeat(700) }, /SMS is \d+ parts long/],
	['of a campaign', sms, { recipientBy: 'campaign_id', campaign_id: '5' }, /Recipient By/],
	['with its own link', push, ownLink, /must not contain 'url'/],
	['until a time that has passed', push, until('2020-01-01T10:00:00'), /has passed/],
	['for no time', push, hours(0), /Amount must be a number above 0/],
	['whose value is missing', push, { message: '={{ "Order " + $json.number }}?' }, /undefined/],
	['of several items', push, {}, several, { rows: [{}, {}] }],
	['through a link that only this machine can open', push, {}, loopback, elsewhere],
])('Nothing is asked %s', async (_, parameters, more, message, rest = {}) => {
	const asked = await ask({ ...parameters, ...more }, rest);
	expect(asked.error?.message).toMatch(message);
	expect(waits(asked)).toBe(false);
	expect(node.sandbox.record).toEqual([]);
});

const toTest = { testRuns: 'testRecipient' };
test.each<[string, INodeParameters, INodeParameters]>([
	['the recipient', push, { user_id: 'C-1' }],
	['the test recipient by email if set to', { ...email, ...toTest }, { email: 'test@example.com' }],
])('A run by hand asks %s', async (_, parameters, to) => {
	const account = { testRecipient: true, testEmail: 'test@example.com' };
	const asked = await ask(parameters, { mode: 'manual', account });
	expect(waits(asked)).toBe(true);
	expect(node.bodies()).toEqual([expect.objectContaining(to)]);
	expect((await answer(asked, approve)).output).toHaveLength(1);
});

test('A retry of an execution that had asked names it and asks nobody, except with Resend Unconfirmed', async () => {
	// The execution is stopped while the question is on its way. It does not wait then.
	const delay = node.sandbox.faults.add({ kind: 'delay', delayMs: 200 });
	const stopped = await ask(push, { started: (stop) => void node.sandbox.subscribe(stop) });
	await untilNodeEnds();
	node.sandbox.faults.remove(delay);
	expect(waits(stopped)).toBe(false);
	const refused = await list.retry(stopped);
	const words = `Execution ${stopped.id} has asked this question already`;
	expect(refused.error?.message).toContain(words);
	expect(waits(refused)).toBe(false);
	expect(node.sandbox.record).toHaveLength(1);

	const parameters = { ...push, options: { retryUnknown: true } };
	const again = await list.retry(stopped, { parameters });
	expect(waits(again)).toBe(true);
	expect(linkOf(1)).not.toBe(linkOf(0));
	expect(await answer(again, approve)).toMatchObject(closed(410));
	expect(node.sandbox.record).toHaveLength(2);
});
