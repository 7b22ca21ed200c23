import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { email, push, send, sms } from '../../../../sandbox/support/sampleRequests';
import { message, openMessage, type Stage } from '../stage';

/** Another server on this machine, which the page must not connect to. */
export async function trap() {
	let knocks = 0;
	const server = createServer((socket) => {
		knocks++;
		socket.destroy();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return { url, knocks: () => knocks, close: () => void server.close() };
}

const megabyte = 'W'.repeat(1_000_000);
const marks = '\u202e\u202e\u2067gnp.evil\u202e';

export const inText = (url: string) =>
	`<script>window.pwned = 1</script><img src="${url}/img" onerror="window.pwned = 2"><svg onload="window.pwned = 3"><style>* { display: none !important }</style>"><b onmouseover=alert(1)>`;

export const inMail = (url: string) => `
<script>parent.pwned = 1; alert(1); top.location = '${url}/top'</script><script src="${url}/script.js"></script>
<link rel="stylesheet" href="${url}/style.css"><link rel="preconnect" href="${url}"><link rel="prefetch" href="${url}/prefetch">
<style>@import url("${url}/import.css"); *, .app, .row { background: url("${url}/background") red !important } @font-face { font-family: F; src: url("${url}/font") } body { font-family: F }</style>
<meta http-equiv="refresh" content="0;url=${url}/refresh"><meta http-equiv="content-security-policy" content="default-src *"><base href="${url}/base/" target="_top">
<ifr\0ame src="${url}/nul"></iframe><IFRAME/src="${url}/slash"></IFRAME><iframe srcdoc="<script>parent.parent.pwned = 2</script>"></iframe><object data="${url}/object"></object><embed src="${url}/embed">
<img src="${url}/img" srcset="${url}/set 2x" onerror="parent.pwned = 3"><video src="${url}/video" autoplay poster="${url}/poster"></video><svg onload="parent.pwned = 4"><image href="${url}/svg"/></svg>
<form action="${url}/form" target="_top"><input name="secret" autofocus onfocus="parent.pwned = 5"><button id="send">Send</button></form>
<a hReF
= "${url}/odd" target=_self id="odd">odd</a><svg><a xlink:href="${url}/xlink" target="_self"><text id="xlink" y="10">x</text></a></svg><a id="top" href="${url}/top">top</a>
<a id="blank" target="_blank" href="${url}/blank" ping="${url}/ping">blank</a><a id="script" target="_self" href="javascript:parent.pwned = 6">script</a><a id="home" target="_self" href="/">home</a>
<div style="position: fixed; inset: 0; background: url(${url}/fixed)" onclick="parent.pwned = 7"></div></div><h1 style="position: relative">Still here</h1>`;

function bodies(url: string): Array<[title: string, path: string, body: object]> {
	const text = inText(url);
	const inPush = {
		...{ ...push, title: `Push ${text}`, message: text, user_id: text, button_one_title: text },
		...{ url: 'javascript:window.pwned=9', image_url: `${url}/image` },
		extra: JSON.parse('{"__proto__":{"polluted":1}}') as object,
	};
	const attributes = { name: text, [text]: text, list: [text] };
	const ofMail = { subject: `Mail ${text}`, sender_name: text, reply_to: text };
	const inMarks = { title: `Marks ${marks}`, message: marks, user_id: marks, schedule_date: marks };
	const huge = {
		title: `Huge ${megabyte}`,
		message: megabyte,
		url: megabyte,
		[megabyte]: megabyte,
	};
	return [
		['Push <script>', 'web/send', inPush],
		['SMS <script>', 'sendMessage', { ...sms, sender_name: `SMS ${text}`, message: text }],
		['2 users', 'user/create', { nv: [{ userID: text, user_attributes: attributes }, null] }],
		['/api/v1/event/', `event/${encodeURIComponent(text)}`, { text }],
		['Marks', 'ios/send', { ...push, ...inMarks }],
		['Huge', 'web/send', { ...push, ...huge }],
		['Mail <script>', 'sendMessage', { ...email, ...ofMail, content: inMail(url) }],
	];
}

/** No content of a message runs, requests anything or breaks the layout of the page. */
export async function hostileContent(stage: Stage): Promise<void> {
	const { page, sandbox, context, outside, errors, dialogs } = stage;
	const { url, knocks, close } = await trap();
	try {
		for (const [title, path, body] of bodies(url)) {
			await send(sandbox, `/api/v1/${path}`, body);
			await openMessage(page, title);
			await message(page).getByText('Request secrets masked').click();
			await expectShape();
		}
		// Its links and buttons have no effect.
		const address = page.url();
		const frame = message(page).locator('iframe').contentFrame();
		for (const link of ['#odd', '#xlink', '#top', '#blank', '#script', '#home', '#send']) {
			await frame.locator(link).dispatchEvent('click');
			await page.waitForTimeout(100);
			assert.equal(await frame.getByText('Still here').count(), 1);
		}
		await page.getByRole('button', { name: 'Scheduled' }).click();
		await expectShape();
		await page.waitForTimeout(300);

		assert.equal(knocks(), 0);
		assert.deepEqual([outside, dialogs], [[], []]);
		assert.deepEqual([context.pages().length, page.url()], [1, address]);
		assert.equal(await page.evaluate('window.pwned ?? {}.polluted'), undefined);
		// The only errors are the browser's refusals, none of the page itself.
		assert.deepEqual(
			errors.filter((text) => !/Content Security Policy|sandboxed|Blocked|Refused/i.test(text)),
			[],
		);
		errors.length = 0;
	} finally {
		close();
	}

	/** Rows of one height and in line, nothing wider than the window, and of a huge text only its beginning. */
	async function expectShape(): Promise<void> {
		const shape = await page.evaluate(`({
			wider: ['html', '.message-column']
				.map((name) => document.querySelector(name))
				.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length,
			header: getComputedStyle(document.querySelector('.header')).display,
			isHuge: document.body.textContent.length > 200_000,
			rows: [...new Set(Array.from(document.querySelectorAll('.row'), (row) => {
				const { height, left } = row.getBoundingClientRect();
				const { right } = row.querySelector('.outcome').getBoundingClientRect();
				return [height, left, Math.round(right)].join();
			}))].length,
		})`);
		assert.deepEqual(shape, { wider: 0, header: 'flex', isHuge: false, rows: 1 });
	}
}
