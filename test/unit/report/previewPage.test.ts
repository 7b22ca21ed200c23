import { emailPageOf, smsPageOf, withoutKnownTags, wordsOf } from './support/pages';

const mail = { sender_name: 'Acme', sender_email: 'news@acme.example', subject: 'Spring' };
test.each([
	['a'.repeat(160), 1, 'GSM-7', ['a'.repeat(160)]],
	['a'.repeat(161), 2, 'GSM-7', ['a'.repeat(153), 'a'.repeat(8)]],
	['ж'.repeat(71), 2, 'UCS-2', ['ж'.repeat(67), 'ж'.repeat(4)]],
])('An SMS is shown in the parts in which it is sent (case %#)', (message, count, name, parts) => {
	const page = smsPageOf({ message, sender_name: 'Acme', mobile: '+4915112345678' });
	const shown = [...page.matchAll(/<div class="bubble"><bdi>([^<]*)<\/bdi>/g)].map(
		([, one]) => one,
	);
	expect(shown).toEqual(parts);
	expect(wordsOf(page)).toMatch(new RegExp(`Parts ${count} .*characters?, ${name}`));
});

test('An email as plain text keeps its lines and its signs', () => {
	const page = emailPageOf({ ...mail, content: 'Dear Ann,\n\n3 < 4 & 5 <3' });
	expect(page).toContain('<bdi>Dear Ann,\n\n3 &lt; 4 &amp; 5 &lt;3</bdi>');
});

test('An email as HTML keeps its structure, its colors and its characters', () => {
	const content =
		'<h1 style="color:#2d6a4f; font-size: 24px">Hi &amp; hello&nbsp;@{name}@</h1><p ALIGN=center>A <b>bold</b> word<br/>and more';
	expect(emailPageOf({ ...mail, content })).toContain(
		'<h1 style="color: #2d6a4f; font-size: 24px">Hi &amp; hello&nbsp;@{name}@</h1><p style="text-align: center">A <b>bold</b> word<br>and more</p></div>',
	);
});

test('Links of an email are numbered and listed, and cannot be opened', () => {
	const content =
		'<a href="https://a.example/?x=1&amp;y=2">One</a> <a href=\'javascript:alert(1)\'>two</a>';
	const page = emailPageOf({ ...mail, content });
	expect(page).not.toContain('href');
	const words = wordsOf(page);
	expect(words).toContain('One 1 two 2');
	expect(words).toContain('https://a.example/?x=1&y=2 javascript:alert(1)');
});

test('Images of an email are shown by their text and address', () => {
	const page = emailPageOf({
		...mail,
		content: '<img alt="Flowers" src="https://cdn.example.com/x.png" width=600>',
	});
	expect(wordsOf(page)).toContain(
		'Image: Flowers https://cdn.example.com/x.png Not loaded in this preview',
	);
});

test.each([
	[
		'a script',
		'<p>a<script>steal()</script>b</p>',
		'<p>a<span class="left-out">script left out</span>b</p>',
	],
	['a style sheet', 'a<style>* { color: red }</style><i>b</i>', 'a<i>b</i>'],
	['an unknown tag', '<x-y onclick="steal()">a</x-y>', '<div class="content">a</div>'],
	['a handler', '<b onclick="steal()" id=c class=page>a</b>', '<b>a</b>'],
	[
		'an address in a style',
		'<b style="background:url(//e.example/x);color:red">a</b>',
		'<b style="color: red">a</b>',
	],
	['a position', '<b style="position:fixed;top:0;margin:-9px">a</b>', '<b>a</b>'],
	['an end of the page', '</div></div></body></html><b>a', '<div class="content"><b>a</b></div>'],
	[
		'a comment',
		'a<!--[if mso]><b>no</b><![endif]--><!--[if !mso]><!--><i>b</i><!--<![endif]-->',
		'a<i>b</i>',
	],
	['a tag without an end', '<b>a <i <u', '<b>a &lt;i &lt;u</b>'],
])('An email loses %s', (_what, content, expected) => {
	expect(emailPageOf({ ...mail, content })).toContain(expected);
});

// None of these takes longer than the text is long.
test.each([
	['open tags', '<a "'.repeat(50_000)],
	['quotes', `<a ${'"> "'.repeat(50_000)}`],
	['mixed quotes', '<a \'"'.repeat(40_000)],
	['one long tag', `<a ${'x'.repeat(200_000)}`],
	['spaces', `<a b${' '.repeat(200_000)}>`],
	['deep nesting', '<b>'.repeat(60_000)],
	['ends that close nothing', `${'<b>'.repeat(10_000)}${'</i>'.repeat(30_000)}`],
	['style sheets', '<style></style>'.repeat(10_000)],
	['comments', '<!--'.repeat(50_000)],
])('A huge email of %s becomes a short page', (_what, content) => {
	const page = emailPageOf({ ...mail, content });
	expect(page.length).toBeLessThan(1_000_000);
	expect(withoutKnownTags(page)).not.toContain('<');
});

test('A page forbids scripts and the network, also as a file', () => {
	const page = smsPageOf({ message: 'Hi' });
	expect(page).toMatch(
		/<meta charset="utf-8" \/>\s*<meta http-equiv="content-security-policy" content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;"/,
	);
	expect(page.slice(0, page.indexOf('<body>'))).not.toMatch(/url\(|@import|<script|<link/);
});
