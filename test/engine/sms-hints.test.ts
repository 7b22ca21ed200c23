import * as order from './support/orders';
import { run, useSandbox } from './support/service';

const sandbox = useSandbox();

const previewOf = async (texts: string[]) => {
	const parameters = {
		...order.smsSend,
		message: '={{ $json.text }}',
		options: { previewOnly: true },
	};
	const { hints } = await run(sandbox(), parameters, { rows: texts.map((text) => ({ text })) });
	return hints.map(({ message }) => message);
};

const hundred = 'x'.repeat(99);

test('A preview of SMS sums their parts, and names the character that costs a second one', async () => {
	const hints = await previewOf([`${hundred}–`, 'short', `${hundred}ж`]);
	expect(hints).toContain('3 SMS in 5 parts. Each part is charged.');
	expect(hints).toContainEqual(
		expect.stringMatching(/^'–' costs a second part; with '-' it is one \(item 0, .*\)\.$/),
	);
});

test('A typographic character that costs nothing is not named', async () => {
	const hints = await previewOf(['10–12', `${hundred}ж–`]);
	expect(hints.join()).not.toContain('–');
});
