import { emailContent } from '../../../nodes/CustomerMessaging/report/emailContent';

/** What an email shows between the start and the end of its content. */
function shownOf(source: string): string {
	return emailContent(source).content.text.replace(/^<div class="content">|<\/div>$/g, '');
}

describe('The content of an email in a preview', () => {
	it.each([
		...['<p>a</p>', '<h1>a</h1>', 'a<br>b<hr>c', '<b>&nbsp;&#8364;&#x20ac;&frac12;</b>'],
		'<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>',
		'<b>a</b><strong>b</strong><i>c</i><em>d</em><u>e</u><s>f</s><sub>g</sub><sup>h</sup><small>i</small>',
	])('keeps %s', (source) => {
		expect(shownOf(source)).toBe(source);
	});

	it.each([
		['an end that is missing', '<b><i>a', '<b><i>a</i></b>'],
		['an end of a tag that is not open', '<b>a</i>b</b>', '<b>ab</b>'],
		['capitals', '<B>a</B>', '<b>a</b>'],
		['a break that is closed', '<br/>a</br><hr />', '<br>a<hr>'],
		['centered text', '<center>a</center>b', '<div style="text-align: center; ">a</div>b'],
		['a style sheet whose end is cut', '<b>a</b><style>b</style c', '<b>a</b>'],
		['a number that is no reference', '<b>&#12345678; &x;</b>', '<b>&amp;#12345678; &amp;x;</b>'],
		['an instruction without an end', '<b>a</b><!doctype', '<b>a</b>'],
		['a comment without an end', '<b>a</b><!-- b', '<b>a</b>'],
	])('is well-formed after %s', (_what, source, expected) => {
		expect(shownOf(source)).toBe(expected);
	});

	const notShown = ['script', 'style', 'title', 'template', 'textarea', 'iframe'];
	it.each(notShown)('leaves out what is in <%s>, which is not HTML or not shown', (name) => {
		const source = `<${name}><b>no</b></${name.toUpperCase()} >a<${name}>no`;
		expect(shownOf(source).replace(/<span class="left-out">\w+ left out<\/span>/g, '')).toBe('a');
	});

	const leftOut = ['script', 'iframe', 'object', 'embed', 'form', 'video', 'audio', 'svg'];
	it.each(leftOut)('names <%s>, which email programs leave out too', (name) => {
		const note = `<span class="left-out">${name} left out</span>`;
		expect(shownOf(`<${name}></${name}>a`)).toBe(`${note}a`);
	});

	it('names images by their text and address', () => {
		const image = (what: string, address: string) =>
			`<b><bdi>${what}</bdi></b><span><bdi>${address}</bdi></span`;
		expect(shownOf('<img alt="A &amp; B" src=https://a.example/x.png>')).toContain(
			image('Image: A &amp; B', 'https://a.example/x.png'),
		);
		expect(shownOf('<img>')).toContain(image('Image', ''));
	});

	it('numbers its links, and lists where they lead', () => {
		const { content, links } = emailContent(
			`<a href="https://a.example/?x=1&amp;y=2" style="color:red">a</a><a name=b>b</a><a HREF='c"d'>c`,
		);
		expect(content.text).toBe(
			'<div class="content"><span class="link" style="color: red">a</span><sup>1</sup><span class="link" style="">b</span><span class="link" style="">c</span><sup>2</sup></div>',
		);
		expect(links).toEqual(['https://a.example/?x=1&y=2', 'c"d']);
	});

	it('reads a text without tags as HTML, as mail programs do', () => {
		expect(shownOf('Dear Ann,\n1 < 2 &amp; <3')).toBe('Dear Ann,\n1 &lt; 2 &amp; &lt;3');
	});

	it('shows 100,000 characters, and counts the others', () => {
		const source = `<b>${'x'.repeat(99_997)}`;
		expect(shownOf(source)).toBe(`<b>${'x'.repeat(99_997)}</b>`);
		expect(shownOf(`${source}yz`)).toBe(
			`<b>${'x'.repeat(99_997)}</b><p class="note">… and 2 more characters</p>`,
		);
	});
});

describe('The style of an element in a preview', () => {
	const styleOf = (attributes: string) =>
		/style="([^"]*)"/.exec(shownOf(`<p ${attributes}>a`))?.[1];

	it.each([
		['style="color: rgb(1, 2, 3)"', 'color: rgb(1,2,3)'],
		['style="background-color: rgba(1, 2, 3, .5)"', 'background-color: rgba(1,2,3,.5)'],
		['style="margin: 1px 2em 3% 4"', 'margin: 1px 2em 3% 4'],
		['style="padding:1.125rem  2pt"', 'padding: 1.125rem 2pt'],
		["style='font-size:12px'", 'font-size: 12px'],
		['bgcolor="#eee" align=right', 'background-color: #eee; text-align: right'],
		['align=right style="color:red"', 'text-align: right; color: red'],
	])('is kept: %s', (attributes, style) => {
		expect(styleOf(attributes)).toBe(style);
	});

	it.each([
		...['position:absolute', 'background:url(//a.example)', 'margin:-9px', 'padding:12345px'],
		...['margin:1px url(//a.example)', 'color:expression(1)', 'color:x#fff'],
	])('is left out: %s', (style) => {
		expect(styleOf(`style="${style}"`)).toBeUndefined();
	});
});
