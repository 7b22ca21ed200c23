import { email } from '../../../nodes/CustomerMessaging/operations/email';
import { sms } from '../../../nodes/CustomerMessaging/operations/sms';
import { pageOf, pushPageOf, wordsOf } from './support/pages';

describe('An empty placeholder in a preview', () => {
	const gap = (field: string, code: string, at?: number) => ({ field, code, at });
	const mark = (code: string) => `<span class="gap">{{ ${code} }}</span>`;
	const titleOf = (title: string, ...gaps: Array<ReturnType<typeof gap>>) =>
		/<p class="title"><bdi>(.*)<\/bdi>/.exec(pushPageOf({ title }, { gaps }))?.[1];

	it('is marked where it would be', () => {
		expect(titleOf('Hi !', gap('title', '$json.name', 3))).toBe(`Hi ${mark('$json.name')}!`);
		expect(titleOf('  Hi', gap('title', 'a', 0))).toBe(`  ${mark('a')}Hi`);
		expect(titleOf('Hi', gap('title', 'a', 2))).toBe(`Hi${mark('a')}`);
		expect(titleOf('Hi', gap('title', 'b', 2), gap('title', 'a', 1))).toBe(
			`H${mark('a')}i${mark('b')}`,
		);
		expect(titleOf('Hi', gap('title', '<b>', 0))).toBe(`${mark('&lt;b&gt;')}Hi`);
	});

	it('is not marked in other fields, or if its place is not certain', () => {
		expect(titleOf('Hi', gap('message', 'a', 0))).toBe('Hi');
		expect(titleOf('Hi', gap('title', 'a'))).toBe('Hi');
	});

	it('leaves characters alone that only look like a mark', () => {
		expect(titleOf('a\ufdd0b\ufdef')).toBe('a\ufdd0b\ufdef');
		expect(titleOf('\ufdd1', gap('title', 'a', 0))).toBe(`${mark('a')}\ufdd1`);
	});

	it('is marked 32 times in a message', () => {
		const gaps = Array.from({ length: 33 }, (_, at) => gap('title', `n${at}`, at));
		const marked = titleOf('x'.repeat(40), ...gaps);
		expect(marked?.endsWith(`x${mark('n31')}${'x'.repeat(9)}`)).toBe(true);
	});

	it('is marked in the part of an SMS to which it belongs', () => {
		const message = `${'a'.repeat(153)}${'b'.repeat(153)}`;
		const partsOf = (at: number) =>
			[
				...pageOf(sms, { message }, { gaps: [gap('message', 'n', at)] }).matchAll(
					/<div class="bubble"><bdi>(.*)<\/bdi>/g,
				),
			].map(([, part]) => part?.replace(/a+/g, 'A').replace(/b+/g, 'B'));
		const shown = '<spAn clAss="gAp">{{ n }}</spAn>';
		expect(partsOf(0)).toEqual([`${shown}A`, 'B']);
		expect(partsOf(152)).toEqual([`A${shown}A`, 'B']);
		expect(partsOf(153)).toEqual(['A', `${shown}B`]);
		expect(partsOf(306)).toEqual(['A', `B${shown}`]);
	});

	it.each([
		['SMS', pageOf(sms, { message: '' }, { gaps: [gap('message', 'n')] })],
		['email', pageOf(email, { content: '' }, { gaps: [gap('message', 'n')] })],
	])('is listed in an %s too', (_what, page) => {
		expect(page).toMatch(/<th>Empty<\/th>\s*<td><bdi>\w+: \{\{ n \}\}<\/bdi>/);
	});

	it('is listed with the label of its field', () => {
		const gaps = [gap('title', '$json.name', 0), gap('other', '$json.city')];
		expect(wordsOf(pushPageOf({ title: 'Hi' }, { gaps }))).toContain(
			'Empty Title: {{ $json.name }}, other: {{ $json.city }} Title 2 characters',
		);
	});
});
