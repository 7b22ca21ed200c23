import { isRecord } from '../fields/field';
import { parseUrl } from '../fields/link';
import { channels } from '../operations/channels';
import { type Channel, declaredFields, type Operation } from '../operations/operation';
import { smsTexts } from '../operations/smsParts';
import type { Run } from '../run/resolveRun';
import { describeSchedule } from '../schedule/format';
import { formatWhen } from '../schedule/localTime';
import type { Delivery } from '../shared/delivery';
import { count } from '../shared/formatting';
import { html, Html, htmlPage } from '../shared/html';
import type { PreviewResult } from '../shared/result';
import { describeCostly } from './contentHints';
import { emailContent, imagePlaceholder, shown } from './emailContent';

/** What a page shows of one message. */
interface Message {
	/** A field of the body as text; empty if it is not sent. */
	field: (key: string) => string;
	delivery: Delivery;
	operation: Operation;
}

/** One line of a page. `look`: why somebody should look at it. */
interface Fact {
	name: string;
	text: string;
	look?: string;
}

function recipientFact({ delivery: { audience }, operation, field }: Message): Fact {
	if (audience !== undefined) {
		const look = operation.isBroadcast
			? `reaches ${audience.startsWith('everyone') ? 'all users' : 'a whole segment'}`
			: 'may reach many people';
		return { name: 'To', text: audience.charAt(0).toUpperCase() + audience.slice(1), look };
	}
	const text = Object.entries(operation.fields.recipients ?? {})
		.filter(([key]) => field(key) !== '')
		.map(([key, { form }]) => `${form.displayName} ${field(key)}`);
	return { name: 'To', text: text.join(', ') };
}

/** Whom a message reaches, when, and what else is to be known of it. */
function facts(message: Message, own: readonly Fact[]): Html {
	const when = { name: 'When', text: describeTime(message) };
	return factList([recipientFact(message), when, ...own]);
}

/** Labels above values, because n8n's panel may be narrow. What is empty is left out. */
function factList(facts: readonly Fact[]): Html {
	const filled = facts.filter(({ text }) => text !== '');
	return html`<dl class="facts">
		${filled.map(
			({ name, text, look }) =>
				html`<div>
					<dt>${name}</dt>
					<dd>${shown(text)} ${look && html`<span class="look"><b>!</b> ${look}</span>`}</dd>
				</div>`,
		)}
	</dl>`;
}

const unencrypted = /^http:/i;

function linkFact(name: string, text: string): Fact {
	return { name, text, look: unencrypted.test(text) ? 'is not encrypted' : undefined };
}

/** An email with its envelope. Its HTML is rebuilt from harmless tags; see `emailContent`. */
function emailPage(message: Message): Html {
	const { field } = message;
	const { content, links } = emailContent(field('content'));
	const address = field('sender_email');
	const insecure = links.some((link) => unencrypted.test(link))
		? 'one is not encrypted'
		: undefined;
	return html`<div class="mail">
			<p class="subject">${shown(field('subject'))}</p>
			${facts(message, [
				{ name: 'From', text: `${field('sender_name')}${address && ` <${address}>`}`.trim() },
				{ name: 'Cc', text: field('email_cc') },
				{ name: 'Reply to', text: field('reply_to') },
				{ name: 'Campaign', text: field('campaign_name') },
				{ name: 'Links', text: links.length > 0 ? String(links.length) : '', look: insecure },
			])}
			${content}
		</div>
		${
			links.length > 0 &&
			html`<ol class="links">
				${links.map((link) => html`<li>${shown(link, 300)}</li>`)}
			</ol>`
		}
		<p class="note">
			About what it looks like: images are not loaded, links lead nowhere, and styles other than
			colors, sizes and alignment are left out.
		</p>`;
}

/** A push notification on the lock screen of its platform, or beside a browser. */
function pushPage(message: Message): Html {
	const { field, delivery } = message;
	const isWeb = delivery.platform === 'web';
	const site = shown(parseUrl(field('url'))?.host ?? 'Your site', 100);
	const image = (isWeb && field('hero_image_url')) || field('image_url');
	const titles = [field('button_one_title'), field('button_two_title')].filter(
		(title) => isWeb && title !== '',
	);
	const card = html`<div class="card">
		<div class="card-head">
			<span class="icon"></span><span class="app">${isWeb ? site : 'Your app'}</span
			><span>now</span>
		</div>
		<p class="title">${shown(field('title'))}</p>
		<p class="text">${shown(field('message'))}</p>
		${image && imagePlaceholder('Image', image)}
		${titles.length > 0 && html`<div class="buttons">${titles.map((title) => html`<span>${shown(title, 200)}</span>`)}</div>`}
	</div>`;
	return html`${isWeb ? browser(card, site) : phone(card, delivery)}
	${facts(message, [
		linkFact('Leads to', field('url')),
		{ name: 'First button, in Chrome', text: field('button_one_title') },
		{ name: 'Second button, in Chrome', text: field('button_two_title') },
		linkFact('Second button leads to', field('button_two_url')),
		{ name: 'Image', text: field('image_url') },
		{ name: 'Hero image, in Chrome', text: field('hero_image_url') },
	])}`;
}

function phone(card: Html, { platform = 'android', schedule }: Delivery): Html {
	// The hour and minute of an ISO 8601 time.
	const clock = (schedule && describeSchedule(schedule)?.local.slice(11, 16)) ?? '9:41';
	return html`<div class="scene ${platform}">
		<div class="phone">
			<div class="clock">${clock}</div>
			${card}
		</div>
		<p class="caption">
			On the lock screen of an ${platform === 'ios' ? 'iPhone' : 'Android phone'}. Each device shows
			it in its own way.
		</p>
	</div>`;
}

function browser(card: Html, site: Html): Html {
	return html`<div class="scene">
		<div class="browser">
			<div class="bar"><span class="dots"></span><span class="address">${site}</span></div>
			<div class="desk">${card}</div>
		</div>
		<p class="caption">In a browser. Phones with web push show it alike.</p>
	</div>`;
}

/** More parts would make the page unreadable. */
const MAX_PARTS = 10;

/** A text on a phone, split into the parts in which the network carries it, if it does. */
function textPage(message: Message): Html {
	const { field, operation } = message;
	const { inParts, counted = [], fields } = operation;
	const text = counted.map(field).join('\n');
	const split = inParts === undefined ? undefined : smsTexts(text);
	const { parts } = split ?? { parts: [text] };
	const left = parts.length - MAX_PARTS;
	const sender = Object.entries(fields.sender ?? {})
		.map(([key, { dependsOnAccount }]) => (dependsOnAccount ? '' : field(key)))
		.filter(Boolean);
	const links = Object.entries(declaredFields(operation)).filter(([, { isLink }]) => isLink);
	return html`<div class="scene">
			<div class="phone">
				<p class="sender">${shown(sender[0] ?? '', 200)}</p>
				${parts.slice(0, MAX_PARTS).map(
					(part, index) =>
						html`<div class="part">
							<div class="bubble">${shown(part)}</div>
							${inParts && html`<p class="note">Part ${index + 1} of ${parts.length}</p>`}
						</div>`,
				)}
				${left > 0 && html`<p class="note">And ${count(left, 'more part')}.</p>`}
			</div>
			${inParts && html`<p class="caption">The phone joins the parts again. Each part is charged.</p>`}
		</div>
		${facts(message, [
			{ name: 'From', text: sender.join(' ') },
			{
				name: 'Parts',
				text: split ? `${parts.length} in ${split.encoding}` : inParts ? 'Too long to count' : '',
				look: parts.length > 1 ? (describeCostly(text) ?? 'each is charged') : undefined,
			},
			...links.map(([key, { form }]) => linkFact(form.displayName, field(key))),
			{ name: 'Campaign', text: field('campaign_name') },
		])}`;
}

/**
 * Styles of a preview page. They load nothing, and use only tags and classes, because n8n's viewer
 * removes every other attribute. The page is dark where the browser is; what an email sets is shown on white.
 */
const baseStyle = `
:root { color-scheme: light dark; --page: #f3f4f8; --sheet: #fff; --text: #1b2030; --soft: #5a6275; --line: #dde1ea; --bubble: #e8eaf0; --badge: #dfe5fb; --on-badge: #2c43a8; --frame: #14171f }
@media (prefers-color-scheme: dark) {:root { --page: #14171f; --sheet: #1c212c; --text: #e9ecf3; --soft: #a9b2c5; --line: #3a4254; --bubble: #333c4e; --badge: #2b3767; --on-badge: #c3cfff; --frame: #596278 } }
* { box-sizing: border-box }
body { margin: 0; padding: 20px; background: var(--page); color: var(--text); font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere }
p, h1, h2 { margin: 0 }
.page, .scene { display: grid; grid-template-columns: minmax(0, 1fr) }
.page { max-width: 860px; margin: 0 auto; gap: 18px }
.head { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline }
.head h1 { font-size: 18px; line-height: 1.3 }
.badge { padding: 1px 10px; border-radius: 10px; background: var(--badge); color: var(--on-badge); font-size: 12px; font-weight: 600 }
.sheet { background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; overflow: hidden }
.scene { gap: 8px; padding: 18px }
.caption, .note { color: var(--soft); font-size: 12px; font-style: normal }
.caption { text-align: center }
.facts { display: flex; flex-wrap: wrap; margin: 0 }
.facts div { flex: 1 1 260px; padding: 7px 14px; border-top: 1px solid var(--line) }
.facts dt { color: var(--soft); font-size: 12px }
.facts dd { margin: 0 }
.facts bdi { white-space: pre-line }
.facts:first-child { margin-top: -1px }
.facts + .note { padding: 10px 14px; border-top: 1px solid var(--line) }
.look { display: inline-block; padding: 0 8px 0 0; border-radius: 10px; font-size: 12px; line-height: 20px; color: #8a3d00; background: #fdf1e0 }
.look b { display: inline-block; width: 20px; margin-right: 4px; border-radius: 50%; text-align: center; background: #fde4bd }
.image { display: grid; gap: 2px; padding: 18px 12px; border-radius: 10px; text-align: center; font-size: 12px; color: #4a5468; background: repeating-linear-gradient(135deg, #eceff5 0 12px, #e3e7ef 12px 24px) }
.image b { color: #353c4d }
.image .note { color: inherit }
`;

const pushStyle = `
.phone { width: 330px; max-width: 100%; min-height: 400px; margin: 0 auto; padding: 30px 12px; border: 8px solid #14171f; border-radius: 40px; color: #fff; background: linear-gradient(165deg, #2b3a78, #6a4a94 48%, #a5566f) }
.android .phone { background: linear-gradient(180deg, #15323a, #2d6a58) }
.clock { padding-bottom: 26px; text-align: center; font-size: 58px; line-height: 1.1; font-weight: 600 }
.card { display: grid; gap: 8px; padding: 13px 15px; border-radius: 20px; color: #14171f; background: #f5f5f9 }
.card-head { display: flex; gap: 8px; align-items: center; font-size: 12px; color: #5a6275 }
.card-head .app { flex: 1; min-width: 0; overflow: hidden; white-space: nowrap; text-overflow: ellipsis }
.icon { width: 20px; height: 20px; flex: none; border-radius: 6px; background: linear-gradient(135deg, #5b78f2, #3450c8) }
.android .icon { border-radius: 50%; background: linear-gradient(135deg, #2fa37c, #14614a) }
.title { font-weight: 650; font-size: 15px; line-height: 1.35 }
.text bdi { white-space: pre-line }
.buttons { display: flex; flex-wrap: wrap; gap: 8px }
.buttons span { flex: 1 1 auto; padding: 6px 10px; border-radius: 8px; text-align: center; font-weight: 600; color: #2c43a8; background: #e4e9fc }
.browser { border: 1px solid #d3d8e3; border-radius: 14px; overflow: hidden; background: #fff }
.bar { display: flex; gap: 12px; align-items: center; padding: 9px 13px; background: #e9ecf3 }
.dots { width: 46px; height: 11px; flex: none; background: radial-gradient(circle at 6px, #ef6a5e 5px, #0000 5.5px), radial-gradient(circle at 23px, #e9b44c 5px, #0000 5.5px), radial-gradient(circle at 40px, #5dbb63 5px, #0000 5.5px) }
.address { flex: 1; min-width: 0; padding: 2px 14px; border-radius: 99px; font-size: 12px; color: #5a6275; background: #fff; overflow: hidden; white-space: nowrap; text-overflow: ellipsis }
.desk { padding: 56px 16px 22px; background: linear-gradient(160deg, #f7f8fb, #e6ebf6) }
.desk .card { width: 360px; max-width: 100%; margin-left: auto; border-radius: 12px; background: #fff; box-shadow: 0 12px 30px rgb(20 30 60 / 20%) }
`;

const textStyle = `
.phone { width: 360px; max-width: 100%; margin: 0 auto; padding: 18px 14px 34px; border: 8px solid var(--frame); border-radius: 40px; background: var(--sheet) }
.sender { padding-bottom: 10px; margin-bottom: 12px; text-align: center; font-weight: 600; border-bottom: 1px solid var(--line) }
.part { margin: 0 0 12px; max-width: 92% }
.bubble { padding: 9px 14px; border-radius: 19px 19px 19px 5px; background: var(--bubble) }
.bubble bdi { white-space: pre-wrap }
`;

const emailStyle = `
.mail .facts { border-bottom: 1px solid var(--line) }
.subject { padding: 18px 20px 10px; font-size: 19px; line-height: 1.3; font-weight: 650 }
.content { padding: 20px; color: #1b2030; background: #fff; font-size: 15px; overflow: auto; overflow-wrap: break-word; contain: paint }
.content p { margin: 0 0 1em }
.content h1, .content h2, .content h3 { margin: .4em 0; line-height: 1.25 }
.content .image { margin: 4px 0; overflow-wrap: anywhere }
.link { text-decoration: underline; color: #1a4fb4 }
.content sup { font-size: 11px; color: #5a6275 }
.left-out { padding: 0 6px; border: 1px dashed #b9c0cf; border-radius: 6px; font-size: 12px; color: #5a6275 }
.links { margin: 0; padding: 10px 14px 10px 40px; border-top: 1px solid var(--line); font-size: 13px }
.mail + .note, .links + .note { padding: 10px 14px }
`;

const looks: Readonly<Record<Channel['look'], { style: string; render: (m: Message) => Html }>> = {
	notification: { style: pushStyle, render: pushPage },
	text: { style: textStyle, render: textPage },
	mail: { style: emailStyle, render: emailPage },
};

/** Holds for the page as a file. n8n's viewer ignores it, so the page must be harmless without it. */
const policy = "default-src 'none'; style-src 'unsafe-inline'";

/** What a page says besides the message. */
interface Frame {
	title: string;
	badges: readonly string[];
}

/**
 * Shows a message as its recipients will see it: an HTML page without scripts that loads nothing.
 * Undefined if the operation sends no message.
 */
export function messagePage(
	{ delivery, body }: Pick<PreviewResult, 'delivery' | 'body'>,
	{ resource, operation }: Pick<Run, 'resource' | 'operation'>,
	{ title, badges }: Frame,
): string | undefined {
	const channel = channels.find(({ value }) => value === resource);
	if (!channel || !isRecord(body)) return undefined;
	const field = (key: string) => {
		const value = Object.hasOwn(body, key) ? (body[key] ?? '') : '';
		return typeof value === 'string' ? value : JSON.stringify(value);
	};
	const { style, render } = looks[channel.look];
	const page = html`<div class="page">
		<div class="head">
			<h1>${channel.name}: ${operation.name}</h1>
			${badges.map((badge) => html`<span class="badge">${badge}</span>`)}
		</div>
		<div class="sheet">${render({ field, delivery, operation })}</div>
	</div>`;
	const head = html`<meta http-equiv="content-security-policy" content="${policy}" />
		<style>
			${new Html(baseStyle + style)}
		</style>`;
	return htmlPage('en', title, head, page);
}

function describeTime({ delivery: { schedule } }: Message): string {
	if (schedule?.kind === 'delay') return `${count(schedule.seconds, 'second')} after it is sent`;
	return schedule?.kind === 'at' ? formatWhen(schedule.instantMs, schedule.zone) : 'At once';
}
