import { html, shown } from '../../../nodes/CustomerMessaging/shared/html';

test('Text in a page can add neither elements nor attributes', () => {
	const name = `"><script>'&amp;`;
	expect(html`<p title="${name}">${name}</p>`.text).toBe(
		'<p title="&quot;&gt;&lt;script&gt;&#39;&amp;amp;">&quot;&gt;&lt;script&gt;&#39;&amp;amp;</p>',
	);
});

test('Lists are joined, numbers are written, and what is missing leaves no trace', () => {
	const parts = [html`<b>${1}</b>`, [html`<b>${'<2>'}</b>`], undefined];
	expect(html`<i>${parts}</i>`.text).toBe('<i><b>1</b><b>&lt;2&gt;</b></i>');
});

test('A text is shown up to its maximum, with how many characters follow', () => {
	expect(shown('12345', 5).text).toBe('<bdi>12345</bdi>');
	expect(shown('1234567', 5).text).toBe(
		'<bdi>12345</bdi>… <i class="note">and 2 more characters</i>',
	);
});
