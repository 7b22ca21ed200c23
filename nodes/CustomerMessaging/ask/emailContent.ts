import { Html, html } from '../shared/html';

/** The content of an email that asks: the question, a button that opens the page, and its address. */
export function emailContent(question: string, link: string, label: string): string {
	const lines = question.split(/\r\n|[\n\r\u0085\u2028\u2029]/);
	const text = lines.map((line, index) => [index > 0 ? new Html('<br>') : undefined, line]);
	return html`<div style="${styles.text}">
		<p>${text.flat()}</p>
		<p style="margin:24px 0"><a href="${link}" style="${styles.button}">${label}</a></p>
		<p style="${styles.note}"><a href="${link}" style="${styles.address}">${link}</a></p>
	</div>`.text;
}

/** Styles stand in each tag, because programs for email drop style sheets. */
const styles = {
	text: 'max-width:560px;font:16px/1.5 Arial,sans-serif;color:#1b2030',
	button:
		'display:inline-block;padding:12px 28px;border-radius:8px;background:#2c4fc4;color:#ffffff;font-weight:bold;text-decoration:none',
	address: 'color:inherit;word-break:break-all',
	note: 'font-size:13px;color:#555e72',
};
