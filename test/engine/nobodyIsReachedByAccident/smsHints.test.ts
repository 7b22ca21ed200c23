import type { INodeParameters } from 'n8n-workflow';

import * as order from '../support/orders';
import { pageOf } from '../support/pages';
import { bodies, run, useSandbox } from '../support/service';

const sandbox = useSandbox();

const send = { ...order.smsSend, message: '={{ $json.text }}' };

async function hintsOf(texts: string[], parameters: INodeParameters) {
	const { hints } = await run(sandbox(), parameters, { rows: texts.map((text) => ({ text })) });
	return hints.map(({ message }) => message);
}

const previewOf = async (texts: string[]) =>
	await hintsOf(texts, { ...send, options: { previewOnly: true, sendDuplicates: true } });

const hundred = 'x'.repeat(99);
const costly =
	/^Typographic characters \(–\) make it 2 parts instead of 1 \(item 0, .*\)\. 'Replace Typographic Characters' under Options sends plain characters instead\.$/;

test('A preview of SMS sums their parts, and names the character that costs a second one', async () => {
	const hints = await previewOf([`${hundred}–`, 'short', `${hundred}ж`]);
	expect(hints).toContain('3 SMS in 5 parts. Each part is charged.');
	expect(hints).toContainEqual(expect.stringMatching(costly));
});

test.each([
	['an emoji', `${hundred}😀`, '😀 makes it 2 parts instead of 1'],
	['a family and a flag', `${hundred}👩‍👧🇮🇳`, '👩‍👧 🇮🇳 make it 2 parts instead of 1'],
	[
		'a special space',
		`${hundred}\u00a0`,
		'Typographic characters (special space) make it 2 parts instead of 1',
	],
	[
		'several in a long text',
		`“${hundred}”${hundred}–${hundred}`,
		'Typographic characters (“ ” –) make it 5 parts instead of 2',
	],
	['both', `${hundred}–😀`, 'Typographic characters (–) and 😀 make it 2 parts instead of 1'],
])('What costs parts is named: %s', async (_, text, named) => {
	expect(await previewOf([text])).toContainEqual(expect.stringContaining(`${named} (item 0, `));
});

test('A typographic character that costs nothing is not named', async () => {
	const hints = await previewOf(['10–12', `${hundred}ж–`]);
	expect(hints.join()).not.toContain('–');
});

describe('A run that sends SMS', () => {
	it('sums the parts of those that were accepted', async () => {
		sandbox().faults.add({ kind: 'status', status: 400, match: { bodyText: 'refused' } });
		const parameters = { ...send, options: { concurrency: 1 } };
		const { hints } = await run(sandbox(), parameters, {
			rows: [`${hundred}–`, `refused ${hundred}${hundred}`, 'short'].map((text) => ({ text })),
			onError: 'continueErrorOutput',
		});
		const messages = hints.map(({ message }) => message);
		expect(messages).toContain('Sent: 2 SMS in 3 parts. Each part is charged.');
		expect(messages).toContainEqual(expect.stringMatching(costly));
	});
});

describe('With Replace Typographic Characters', () => {
	const options = { replaceTypographicCharacters: true };
	const text = `“Ann’s” – 10…\u00a0Привет 😀`;
	const plain = `"Ann's" - 10... Привет 😀`;

	it('an SMS is sent with plain characters, and all others as they are', async () => {
		await hintsOf([text], { ...send, options });
		expect(bodies(sandbox())).toMatchObject([{ message: plain }]);
	});

	it('only the message changes', async () => {
		const campaign_name = 'Spring – 10…';
		await run(sandbox(), { ...send, campaign_name, message: text, options });
		expect(bodies(sandbox())).toMatchObject([{ campaign_name, message: plain }]);
	});

	it('an email is sent as it is', async () => {
		await run(sandbox(), { ...order.emailSend, subject: text, options });
		expect(bodies(sandbox())).toMatchObject([{ subject: text }]);
	});

	it('a preview shows and counts the plain text', async () => {
		const { output, hints } = await run(
			sandbox(),
			{ ...send, options: { ...options, previewOnly: true } },
			{ rows: [{ text: `${hundred}–` }] },
		);
		expect(output[0]?.json).toMatchObject({
			body: { message: `${hundred}-` },
			sms: { parts: 1, encoding: 'GSM-7' },
		});
		const page = pageOf(output[0]);
		expect(page).toContain(`${hundred}-`);
		expect(page).not.toContain('–');
		expect(hints.map(({ message }) => message)).toContain('1 SMS in 1 part. Each part is charged.');
	});
});
