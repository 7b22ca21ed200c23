import { toEditorHtml } from '../../../nodes/CustomerMessaging/report/editorHtml';

test('A text keeps its signs and lines where the editor reads HTML', () => {
	expect(toEditorHtml('Q&A <news@acme.example>\n&lt;\n')).toBe(
		'Q&amp;A &lt;news@acme.example><br>\n&amp;lt;<br>\n',
	);
});
