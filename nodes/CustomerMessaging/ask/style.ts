import { Html, html } from '../shared/html';

/** The style of the pages. It loads nothing, and follows the light or dark theme of the device. */
export const style = `
:root { color-scheme: light dark; --page: #eef0f5; --card: #fff; --text: #1b2030; --soft: #555e72; --line: #d5dae5; --first: #2c4fc4; --on-first: #fff; --first-over: #2340a3; --plain: #f4f6fa; --plain-over: #e7ebf4; --warn: #a11d1d; --good: #146c43 }
@media (prefers-color-scheme: dark) {:root { --page: #12151c; --card: #1c212c; --text: #e9ecf3; --soft: #a9b2c5; --line: #3a4254; --first: #8aa5ff; --on-first: #10162b; --first-over: #a5baff; --plain: #262d3b; --plain-over: #313a4c; --warn: #ff9f97; --good: #6fd3a2 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; place-items: center; padding: max(16px, env(safe-area-inset-top)) 16px max(16px, env(safe-area-inset-bottom)); background: var(--page); color: var(--text); font: 17px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere }
main { width: 100%; max-width: 560px; padding: 28px; background: var(--card); border: 1px solid var(--line); border-radius: 16px }
p, h1 { margin: 0 }
h1 { font-size: 22px; line-height: 1.3 }
.from { margin-bottom: 6px; color: var(--soft); font-size: 15px }
.question { margin-top: 14px; white-space: pre-wrap }
.asked, .note { color: var(--soft); font-size: 15px }
.note { margin-top: 18px }
.answer { margin-top: 14px; font-weight: 600; white-space: pre-wrap }
.correction { margin-top: 14px; color: var(--warn); font-weight: 600 }
.mark { width: 44px; height: 44px; margin-bottom: 14px; border: 2px solid; border-radius: 50%; color: var(--good); font-size: 24px; line-height: 40px; text-align: center }
form { margin-top: 22px; display: flex; flex-wrap: wrap; gap: 12px }
textarea { flex: 1 0 100%; min-width: 0; padding: 10px 12px; border: 1px solid var(--soft); border-radius: 10px; background: var(--page); color: inherit; font: inherit; resize: vertical }
button { flex: 1 1 180px; min-height: 50px; padding: 10px 18px; border: 1px solid var(--soft); border-radius: 10px; background: var(--plain); color: inherit; font: inherit; font-weight: 600; cursor: pointer }
button:hover { background: var(--plain-over) }
button.first { border-color: transparent; background: var(--first); color: var(--on-first) }
button.first:hover { background: var(--first-over) }
:focus-visible { outline: 3px solid var(--first); outline-offset: 3px }
@media (max-width: 480px) { main { padding: 22px } }
`;

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
