import type { INodeParameters } from 'n8n-workflow';

import { everythingIn } from '../support/everything';
import { execute, n8nAddress, type Order, untilNodeEnds } from '../support/engine';
import { type Execution, ExecutionList } from '../support/executionList';
import { useLogLines } from '../support/logLines';
import { useNewStore } from '../support/memoryStore';
import { emailCampaign, smsCampaign } from '../support/orders';
import { accountOf, push as pushToRows, roomySandbox, rowsOf } from '../support/sends';
import { bodies, keyCredential, useSandbox } from '../support/service';

const sandbox = useSandbox();
/** One list for all tests, so that no two executions have the same link. */
const list = new ExecutionList();
beforeEach(() => useNewStore());

const operation = 'sendAndWait';
const question = { title: 'Spring sale', message: 'May it go out to 5,000 customers?' };
const push: INodeParameters = {
	resource: 'push',
	operation,
	platforms: ['web'],
	recipientBy: 'user_id',
	user_id: 'C-1',
	...question,
};
const { message: _, ...smsSender } = smsCampaign;
const sms: INodeParameters = {
	resource: 'sms',
	operation,
	recipientBy: 'mobile',
	mobile: '+4915112345678',
	senderFrom: 'define',
	...smsSender,
	message: 'Will you come tomorrow at 10:00?',
};
const { content: __, ...emailSender } = emailCampaign;
const email: INodeParameters = {
	resource: 'email',
	operation,
	recipientBy: 'email',
	email: 'anna@example.com',
	senderFrom: 'define',
	...emailSender,
	subject: 'Please decide',
	message: 'Buy <b>500</b> chairs?\nThey cost "a lot" & more.',
};
const yesOrNo = {
	approvalOptions: {
		values: { approvalType: 'double', approveLabel: 'Send it', disapproveLabel: 'Stop <it>' },
	},
};

async function ask(parameters: INodeParameters, rest: Partial<Order> = {}): Promise<Execution> {
	return await list.start({ parameters, credential: keyCredential(sandbox()), ...rest });
}

function linkOf(index = 0): string {
	const {
		url,
		message = '',
		content = '',
	} = sandbox().record[index]?.body as Record<string, string>;
	const found = url ?? /href="([^"]+)"/.exec(content)?.[1] ?? message.split('\n').at(-1) ?? '';
	return found.replaceAll('&amp;', '&');
}

const waits = ({ run }: Execution) => run.waitTill !== undefined;
const tellsOf = ({ hints }: Execution) => hints.map(({ message }) => message).join('\n');
const refusalOf = ({ error }: Execution) => String(error?.message);

describe('A question by push', () => {
	test('goes out with the link to its page, and the execution waits', async () => {
		const asked = await ask(push, { rows: [{ id: 7 }] });
		expect(asked.error).toBeUndefined();
		expect(bodies(sandbox())).toEqual([{ user_id: 'C-1', ...question, url: linkOf() }]);
		expect(linkOf()).toMatch(
			new RegExp(`^${n8nAddress}/webhook-waiting/${asked.id}/subject\\?signature=[0-9a-f]{64}$`),
		);
		expect(asked.run.waitTill).toEqual(new Date('3000-01-01T00:00:00.000Z'));
		expect(asked.run.data.validateSignature).toBe(true);
		expect(asked.output.map(({ json }) => json)).toEqual([{ id: 7 }]);
		expect(tellsOf(asked)).toBe('The execution waits for the answer.');
	});

	test('is shortened, and its page shows it whole', async () => {
		const message = `Refund ${'🙂'.repeat(300)} to C-1?`;
		const asked = await ask({ ...push, platforms: ['android', 'ios', 'web'], message });
		const sent = bodies(sandbox()) as Array<{ message: string }>;
		expect(sent.map((body) => body.message)).toEqual(Array(3).fill(`Refund ${'🙂'.repeat(122)}…`));
		const { html } = await list.open(asked, { link: linkOf() });
		expect(html).toContain(`>${message}</p>`);
	});

	test('waits if one of its platforms may have got it, and tells of the others', async () => {
		sandbox().faults.add({ kind: 'status', status: 400, match: { platform: 'android' } });
		const asked = await ask({ ...push, platforms: ['android', 'web'] });
		expect(waits(asked)).toBe(true);
		expect(tellsOf(asked)).toMatch(/^The question was not sent on android: .*400/);
	});
});

describe('The link', () => {
	test('is the last line of an SMS', async () => {
		await ask(sms);
		expect(bodies(sandbox())).toMatchObject([
			{ mobile: '+4915112345678', message: `Will you come tomorrow at 10:00?\n${linkOf()}` },
		]);
		expect(linkOf()).toMatch(/^http:\/\/localhost:5678\/webhook-waiting\/\d+\/subject\?signature=/);
	});

	test('is a button of an email, whose text cannot add markup', async () => {
		await ask(email);
		const [body] = bodies(sandbox()) as [Record<string, string>];
		expect(body).not.toHaveProperty('message');
		expect(body.content).toContain(
			'<p>Buy &lt;b&gt;500&lt;/b&gt; chairs?<br>They cost &quot;a lot&quot; &amp; more.</p>',
		);
		expect(body.content).toMatch(
			/<a href="http:\/\/localhost:5678[^"]+" style="[^"]+">Respond<\/a>/,
		);
		// The address has no place to break on a phone.
		expect(body.content).toMatch(/style="[^"]*word-break:break-all">http:\/\/localhost:5678/);
	});

	test('opens a page in the name of the sender', async () => {
		const asked = await ask(email);
		const { html } = await list.open(asked, { link: linkOf() });
		expect(html).toContain('<p class="from"><bdi>Acme Shop</bdi></p>');
		expect(html).toContain('<h1 dir="auto">Please decide</h1>');
		expect(html).toContain('Buy &lt;b&gt;500&lt;/b&gt; chairs?\nThey cost');
	});
});

describe('The page', () => {
	test('decides nothing when it is opened, and loads and runs nothing', async () => {
		const asked = await ask({ ...push, ...yesOrNo });
		const page = await list.open(asked, { link: linkOf() });
		expect(page).toMatchObject({ status: 200, output: undefined });
		expect(page.html).toContain('<bdi>Send it</bdi>');
		expect(page.html).toContain('<bdi>Stop &lt;it&gt;</bdi>');
		expect(page.html).not.toMatch(/<script|src=|href=|url\(|@import/);
		expect(page.headers['content-security-policy']).toBe(
			"default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
		);
		expect(page.headers).toMatchObject({
			'cache-control': 'no-store',
			'referrer-policy': 'no-referrer',
		});
	});

	test.each([
		['approve', true, 'Send it'],
		['decline', false, 'Stop &lt;it&gt;'],
	])('takes %s from its buttons', async (decision, approved, label) => {
		const asked = await ask({ ...push, ...yesOrNo });
		const request = { link: linkOf(), method: 'POST', form: { decision } } as const;
		const before = new Date().toISOString();
		const page = await list.open(asked, request);
		const data = { approved, respondedAt: expect.any(String) as string };
		expect(page.output).toEqual([{ json: { data }, pairedItem: { item: 0 } }]);
		const { respondedAt } = page.output?.[0]?.json.data as typeof data;
		const times = [before, respondedAt, new Date().toISOString()];
		expect(times).toEqual([...times].sort());
		expect(page.html).toContain(`<p class="answer" dir="auto">${label}</p>`);
	});

	test.each([
		['no option at all', {}],
		['an option that names one button', { approvalOptions: { values: { approveLabel: 'Go' } } }],
	])('has a button for yes and one for no with %s', async (_what, options) => {
		const asked = await ask({ ...push, ...options });
		const page = await list.open(asked, { link: linkOf() });
		expect(page.html.match(/<button/g)).toHaveLength(2);
	});

	test('has one button if that is chosen', async () => {
		const approvalOptions = { values: { approvalType: 'single' } };
		const asked = await ask({ ...push, approvalOptions });
		const page = await list.open(asked, { link: linkOf() });
		expect(page.html.match(/<button/g)).toHaveLength(1);
	});

	test('takes a text', async () => {
		const asked = await ask({ ...push, responseType: 'freeText' });
		const form = { text: '  Yes,\r\nbut <later>\u0000 ' };
		const page = await list.open(asked, { link: linkOf(), method: 'POST', form });
		const respondedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
		expect(page.output?.[0]?.json).toEqual({ data: { text: 'Yes,\nbut <later>', respondedAt } });
		expect(page.html).toContain('Yes,\nbut &lt;later&gt;</p>');
	});

	test.each([
		['an empty text', ' \n '],
		['a text that is too long', 'x'.repeat(5_001)],
	])('refuses %s', async (_what, text) => {
		const asked = await ask({ ...push, responseType: 'freeText' });
		const page = await list.open(asked, { link: linkOf(), method: 'POST', form: { text } });
		expect(page).toMatchObject({ status: 400, output: undefined });
		expect(page.html).toContain('Enter an answer of up to 5,000 characters.');
	});

	test('says what the sender did not write in the language of the browser', async () => {
		const options = { responseFormButtonLabel: 'Svar' };
		const asked = await ask({ ...push, responseType: 'freeText', options });
		const page = await list.open(asked, { link: linkOf(), acceptLanguage: 'da, de-AT;q=0.9' });
		expect(page.html).toContain('<html lang="de">');
		const said = page.html.replace(/<style>[^]*<\/style>|<title>.*<\/title>|<[^>]*>/g, '\n').trim();
		expect(said.split(/\s*\n\s*/)).toEqual([
			question.title,
			question.message,
			'Svar',
			'Es geschieht nichts, bis Sie eine Schaltfläche drücken.',
		]);
	});

	test.each([
		['en-GB,en;q=0.9', 'en', 'Your answer was recorded.'],
		['de', 'de', 'Ihre Antwort wurde gespeichert.'],
		['fr-CA', 'fr', 'Votre réponse a été enregistrée.'],
		['ES', 'es', 'Su respuesta ha sido registrada.'],
		['da;q=0.9, it;q=0.2', 'it', 'La risposta è stata registrata.'],
		['en;q=0.5,pt-BR;q=0.8', 'pt', 'A sua resposta foi recebida.'],
		['nl,*', 'nl', 'Uw antwoord is opgeslagen.'],
		['de;q=0,pl;q=0.1', 'pl', 'Odpowiedź została zapisana.'],
		['constructor,;q=x', 'en', 'Your answer was recorded.'],
	])('confirms an answer to a browser that asks for %s', async (acceptLanguage, lang, words) => {
		const asked = await ask(push);
		const answer = { link: linkOf(), method: 'POST', form: { decision: 'approve' } } as const;
		const { html } = await list.open(asked, { ...answer, acceptLanguage });
		expect(html).toContain(`<html lang="${lang}">`);
		expect(html).toContain(`<h1>${words}</h1>`);
	});

	test('takes only the first of two answers', async () => {
		const asked = await ask({ ...push, ...yesOrNo });
		const answer = (decision: string) =>
			list.open(asked, { link: linkOf(), method: 'POST', form: { decision } });
		expect((await answer('approve')).output).toHaveLength(1);
		expect(await answer('decline')).toMatchObject({ status: 409, output: undefined });
		const page = await list.open(asked, { link: linkOf() });
		expect(page).toMatchObject({ status: 409, output: undefined });
		expect(page.html).toContain('<h1>This question has already been answered.</h1>');
	});

	test.each(['GET', 'POST'] as const)(
		'does not open for another signature (%s)',
		async (method) => {
			const first = await ask({ ...push, ...yesOrNo });
			const second = await ask({ ...push, ...yesOrNo });
			const [one, other] = [linkOf(0), linkOf(1)];
			expect(one).not.toBe(other);
			const wrong = [
				[first, other],
				[second, one],
				[first, one.replace(/.$/, (last) => (last === '0' ? '1' : '0'))],
				[first, one.replace(/\?.*/, '')],
			] as const;
			for (const [execution, link] of wrong) {
				const page = await list.open(execution, { link, method, form: { decision: 'approve' } });
				expect(page).toMatchObject({ status: 410, output: undefined });
				expect(page.html).not.toContain(question.message);
			}
		},
	);
});

describe('What n8n keeps of an execution does not hold the signature of the link', () => {
	const options = { includeRequest: true };
	const signature = () => new URL(linkOf()).searchParams.get('signature') ?? 'none';
	/** Everything but the log of requests that the sandbox keeps. */
	const kept = ({ run, output, failed, hints, error }: Execution) =>
		everythingIn([run, output, failed, hints, error]);

	test.each([
		['a push', push],
		['an email', email],
		['an SMS', sms],
	])('while it waits for the answer to %s', async (_what, parameters) => {
		const asked = await ask({ ...parameters, options });
		expect(waits(asked)).toBe(true);
		expect(signature()).toMatch(/^[0-9a-f]{64}$/);
		expect(kept(asked)).not.toContain(signature());
		const page = await list.open(asked, { link: linkOf() });
		expect(page.status).toBe(200);
	});

	test.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'after the service refused it and repeated it, with On Error %s',
		async (onError) => {
			sandbox().faults.add({ kind: 'status', status: 400 });
			const asked = await ask({ ...push, options }, { onError });
			expect(waits(asked)).toBe(false);
			expect(kept(asked)).not.toContain(signature());
			if (onError !== 'stopWorkflow') expect(kept(asked)).toContain('signature=…');
		},
	);

	test('in a preview', async () => {
		const asked = await ask({ ...email, options: { previewOnly: true } });
		expect(kept(asked)).toContain('signature=…');
		expect(kept(asked)).not.toMatch(/signature=[0-9a-f]/);
	});

	test('so that what is stored opens no page', async () => {
		const asked = await ask(push);
		const { contextData } = asked.run.data.executionData ?? {};
		const stored = String(contextData?.['node:Customer Messaging']?.asked);
		const { signatureHash } = JSON.parse(stored) as { signatureHash: string };
		const link = linkOf().replace(signature(), encodeURIComponent(signatureHash));
		const page = await list.open(asked, { link, method: 'POST', form: { decision: 'approve' } });
		expect(page).toMatchObject({ status: 410, output: undefined });
	});
});

describe('The wait', () => {
	const limited = (values: INodeParameters) =>
		ask({ ...push, options: { limitWaitTime: { values } } });

	test('ends after the chosen interval', async () => {
		const before = Date.now();
		const { run } = await limited({
			limitType: 'afterTimeInterval',
			resumeAmount: 1.5,
			resumeUnit: 'hours',
		});
		const waited = Number(run.waitTill) - before;
		expect(waited).toBeGreaterThanOrEqual(90 * 60_000);
		expect(waited).toBeLessThan(91 * 60_000);
	});

	test("ends at the chosen time in the workflow's zone", async () => {
		const options = {
			limitWaitTime: {
				values: { limitType: 'atSpecifiedTime', maxDateAndTime: '2999-07-01T18:00:00' },
			},
		};
		const asked = await ask({ ...push, options }, { timezone: 'Europe/Berlin' });
		expect(asked.run.waitTill).toEqual(new Date('2999-07-01T16:00:00Z'));
		expect(tellsOf(asked)).toContain('until Mon 1 Jul 2999, 18:00, Europe/Berlin');
	});

	test.each([undefined, 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'is over with the input of the node, with On Error %s',
		async (onError) => {
			const asked = await ask(push, { rows: [{ id: 7, name: 'Anna' }], onError });
			const { output, failed } = await list.timeIsOver(asked);
			expect(output.map(({ json }) => json)).toEqual([{ id: 7, name: 'Anna' }]);
			expect(failed).toEqual([]);
			expect(sandbox().record).toHaveLength(1);
		},
	);

	describe('for a question after another one', () => {
		const answered = { rows: [{ id: 7, data: { approved: true } }] };

		test('is over without the answer to the other one, and a hint says so', async () => {
			const asked = await ask(push, answered);
			expect(tellsOf(asked)).toContain("The input has a column 'data'. If nobody answers,");
			expect(asked.output.map(({ json }) => json)).toEqual([{ id: 7 }]);
			const { output } = await list.timeIsOver(asked);
			expect(output.map(({ json }) => json)).toEqual([{ id: 7 }]);
		});
	});

	test.each([
		[{ limitType: 'atSpecifiedTime', maxDateAndTime: '2020-01-01T10:00:00' }, 'has passed'],
		[{ limitType: 'atSpecifiedTime', maxDateAndTime: 'soon' }, 'not in the expected format'],
		[{ limitType: 'afterTimeInterval', resumeAmount: 0 }, 'Amount must be a number above 0'],
		[{ limitType: 'afterTimeInterval', resumeUnit: 'years' }, 'Unit cannot be'],
	])('with the limit %j is refused', async (values, message) => {
		const asked = await limited(values);
		expect(refusalOf(asked)).toContain(message);
		expect(sandbox().record).toEqual([]);
	});
});

describe('Nothing is asked', () => {
	test.each<[string, INodeParameters, Partial<Order>, RegExp]>([
		[
			'of several items',
			push,
			{ rows: [{}, {}] },
			/There are 2 items.*Loop Over Items.*turn off its option 'Wait For Sub-Workflow Completion'/,
		],
		[
			'by an operation from an expression',
			{
				...push,
				operation: `={{ 'sendAndWait' }}`,
				// n8n then also requires the fields of the other operations.
				url: 'https://example.com',
				segment_id: 1,
				subscription_id: 'S-1',
				scheduledFor: '2999-01-01T10:00',
				nextTime: '10:00',
				hoursFrom: '09:00',
				hoursTo: '20:00',
				nextDays: [1],
			},
			{},
			/Choose the operation from its list/,
		],
		[
			'with a long title',
			{ ...push, platforms: ['ios'], title: 'x'.repeat(71) },
			{},
			/Title has 71/,
		],
		['with a long SMS', { ...sms, message: 'я'.repeat(700) }, {}, /SMS is \d+ parts long/],
		['with a very long question', { ...push, message: 'x'.repeat(10_001) }, {}, /at most 10000/],
		['of a campaign', { ...sms, recipientBy: 'campaign_id', campaign_id: '5' }, {}, /Recipient By/],
		['in another way', { ...push, responseType: 'customForm' }, {}, /Response Type cannot be/],
		[
			'with a long button',
			{ ...push, approvalOptions: { values: { approveLabel: 'x'.repeat(61) } } },
			{},
			/Approve Button Label has 61/,
		],
		[
			'with a link of its own',
			{ ...push, additionalFields: { extraBodyFields: '{"url":"https://example.com"}' } },
			{},
			/must not contain 'url'/,
		],
		['whose value is missing', { ...push, message: 'Order undefined?' }, {}, /undefined/],
	])('%s', async (_what, parameters, rest, message) => {
		const asked = await ask(parameters, rest);
		expect(refusalOf(asked)).toMatch(message);
		expect(waits(asked)).toBe(false);
		expect(sandbox().record).toEqual([]);
	});

	test('through a link that only this machine can open', async () => {
		const credential = { ...keyCredential(sandbox()), pushUrl: 'https://push.example.com' };
		const asked = await ask(push, { credential });
		expect(refusalOf(asked)).toMatch(/lead to http:\/\/localhost:5678.*WEBHOOK_URL/);
	});
});

describe('An execution that does not get its question through', () => {
	test('in a preview does not wait', async () => {
		const asked = await ask({ ...push, options: { previewOnly: true } });
		expect(waits(asked)).toBe(false);
		expect(asked.output[0]?.json).toMatchObject({ outcome: 'preview', body: question });
		expect(sandbox().record).toEqual([]);
	});
});

test('A question in an outage is sent when the service is back, and then the execution waits', async () => {
	const down = await serviceThatFails();
	const asking = ask(push, down.order);
	down.recover();
	const asked = await asking;
	expect(waits(asked)).toBe(true);
	expect(down.arrived().at(-1)).toMatchObject(question);
	await down.close();
}, 60_000);

/** A service at which four messages in a row have failed. */
async function serviceThatFails() {
	const service = await roomySandbox();
	const fault = service.faults.add({ kind: 'status', status: 503 });
	const credential = accountOf(service);
	const failing = pushToRows({ maxWait: 0 });
	await execute({
		parameters: failing,
		rows: rowsOf(8),
		credential,
		onError: 'continueErrorOutput',
	});
	return {
		order: { credential },
		recover: () => {
			service.faults.remove(fault);
		},
		arrived: () => bodies(service),
		close: () => service.close(),
	};
}

describe('A question whose outcome is unknown', () => {
	test('may have arrived, so the execution waits and says so', async () => {
		sandbox().faults.add({ kind: 'statusAfterAccept', status: 503 });
		const asked = await ask(push, { retryOnFail: true });
		expect(asked.error).toBeUndefined();
		expect(waits(asked)).toBe(true);
		expect(sandbox().record).toHaveLength(1);
		expect(tellsOf(asked)).toMatch(/^The question may not have arrived on web: .*503.*\n/);
		const request = { link: linkOf(), method: 'POST', form: { decision: 'approve' } } as const;
		expect((await list.open(asked, request)).output).toHaveLength(1);
	});
});

describe('A link with a path before the endpoint', () => {
	const lines = useLogLines();
	const warning =
		"Nobody can answer this question: its link has the path /n8n/ before n8n's endpoint, and n8n does not answer there. Set N8N_ENDPOINT_WEBHOOK_WAIT=n8n/webhook-waiting and WEBHOOK_URL=http://localhost:5678/ for all processes of n8n, let the proxy pass /n8n/webhook-waiting/ on with its path, and restart n8n. Then ask again.";

	test('is named once, by a hint and in the log, with what to set', async () => {
		const asked = await ask(
			{ ...push, platforms: ['web', 'ios'] },
			{ webhookUrl: `${n8nAddress}/n8n/` },
		);
		expect(linkOf()).toMatch(/^http:\/\/localhost:5678\/n8n\/webhook-waiting\//);
		expect(asked.hints[0]).toMatchObject({ message: warning, type: 'warning' });
		expect(tellsOf(asked)).toBe(`${warning}\nThe execution waits for the answer.`);
		expect(lines).toEqual([['warn', warning]]);
	});
});

describe('A run by hand', () => {
	const recipient = { testRecipient: true, testUserId: 'tester', testEmail: 'test@example.com' };
	const byHand = { mode: 'manual' } as const;

	test('asks the recipient', async () => {
		const asked = await ask(push, byHand);
		expect(waits(asked)).toBe(true);
		expect(bodies(sandbox())).toMatchObject([{ user_id: 'C-1' }]);
	});

	test.each([
		['push', push, { user_id: 'tester' }],
		['email', email, { email: 'test@example.com' }],
	])('asks the test recipient by %s if it is set to', async (_kind, parameters, to) => {
		const credential = { ...keyCredential(sandbox()), ...recipient };
		const order = { ...byHand, credential };
		const asked = await ask({ ...parameters, testRuns: 'testRecipient' }, order);
		expect(asked.error).toBeUndefined();
		expect(waits(asked)).toBe(true);
		expect(bodies(sandbox())).toEqual([expect.objectContaining(to)]);
		const request = { link: linkOf(), method: 'POST', form: { decision: 'approve' } } as const;
		expect((await list.open(asked, request)).output).toHaveLength(1);
	});
});

describe('A retry', () => {
	/** The execution is stopped while the question is on its way. It does not wait then. */
	async function askAndStop(): Promise<Execution> {
		const delay = sandbox().faults.add({ kind: 'delay', delayMs: 200 });
		const stopped = await ask(push, {
			started: (stop) => {
				sandbox().subscribe(stop);
			},
		});
		await untilNodeEnds();
		sandbox().faults.remove(delay);
		expect(waits(stopped)).toBe(false);
		expect(sandbox().record).toHaveLength(1);
		return stopped;
	}

	test('of an execution that had asked names it and asks nobody', async () => {
		const asked = await askAndStop();
		const again = await list.retry(asked);
		expect(refusalOf(again)).toContain(`Execution ${asked.id} has asked this question already`);
		expect(waits(again)).toBe(false);
		expect(sandbox().record).toHaveLength(1);
	});

	test('asks again with a link of its own where Retry Unknown is on', async () => {
		const asked = await askAndStop();
		const parameters = { ...push, options: { retryUnknown: true } };
		const again = await list.retry(asked, { parameters });
		expect(again.error).toBeUndefined();
		expect(waits(again)).toBe(true);
		expect(linkOf(1)).not.toBe(linkOf(0));
		const old = await list.open(again, {
			link: linkOf(0),
			method: 'POST',
			form: { decision: 'approve' },
		});
		expect(old).toMatchObject({ status: 410, output: undefined });
		expect(sandbox().record).toHaveLength(2);
	});
});
