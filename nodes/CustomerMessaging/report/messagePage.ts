import { isRecord } from '../fields/field';
import { parseUrl } from '../fields/link';
import { channels } from '../operations/channels';
import type { Channel, Operation } from '../operations/operation';
import { smsTexts } from '../fields/smsParts';
import type { Run } from '../run/resolveRun';
import { describeSchedule } from '../schedule/format';
import { formatWhen } from '../schedule/localTime';
import { count } from '../shared/formatting';
import { html, Html, htmlPage } from '../shared/html';
import type { Delivery } from '../shared/delivery';

/** What a page shows of one message. */
interface Message {
	/** A field of the body as text; empty if it is not sent. */
	field: (key: string) => string;
	delivery: Delivery;
	operation: Operation;
}

/** Text of a message, isolated so that characters that change the direction of text affect only it. */
function shown(text: string, max = 2_000): Html {
	const rest = text.length - max;
	return rest > 0
		? html`<bdi>${text.slice(0, max)}</bdi>… <i class="note">and ${rest} more characters</i>`
		: html`<bdi>${text}</bdi>`;
}

/** Whom a message reaches, when, and what else is to be known of it. What is empty is left out. */
function facts(message: Message, own: Readonly<Record<string, string>>): Html {
	const all = { To: recipientOf(message), When: describeTime(message), ...own };
	// Labels above values, because n8n's panel may be narrow.
	return html`<dl class="facts">
		${Object.entries(all)
			.filter(([, text]) => text !== '')
			.map(
				([name, text]) =>
					html`<div>
						<dt>${name}</dt>
						<dd>${shown(text)}</dd>
					</div>`,
			)}
	</dl>`;
}

function recipientOf({ delivery: { audience }, operation, field }: Message): string {
	if (audience !== undefined) return audience.charAt(0).toUpperCase() + audience.slice(1);
	return Object.entries(operation.fields.recipients ?? {})
		.filter(([key]) => field(key) !== '')
		.map(([key, { form }]) => `${form.displayName} ${field(key)}`)
		.join(', ');
}

function describeTime({ delivery: { schedule } }: Message): string {
	if (schedule?.kind === 'delay') return `${count(schedule.seconds, 'second')} after it is sent`;
	return schedule?.kind === 'at' ? formatWhen(schedule.instantMs, schedule.zone) : 'At once';
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
		${
			image &&
			html`<div class="image">
				<b>Image</b><span>${shown(image, 200)}</span><span class="note">Not loaded here</span>
			</div>`
		}
		${titles.length > 0 && html`<div class="buttons">${titles.map((title) => html`<span>${shown(title, 200)}</span>`)}</div>`}
	</div>`;
	return html`${isWeb ? browser(card, site) : phone(card, delivery)}
	${facts(message, {
		'Leads to': field('url'),
		'Second button leads to': field('button_two_url'),
	})}`;
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
		${facts(message, {
			From: sender.join(' '),
			Parts: split ? `${parts.length} in ${split.encoding}` : inParts ? 'Too long to count' : '',
		})}`;
}

/**
 * Styles of a preview page. They load nothing, and use only tags and classes, because n8n's viewer
 * removes every other attribute. The page is dark where the browser is.
 */
const baseStyle = `
:root { color-scheme: light dark; --page: #f3f4f8; --sheet: #fff; --text: #1b2030; --soft: #5a6275; --line: #dde1ea; --bubble: #e8eaf0; --frame: #14171f }
@media (prefers-color-scheme: dark) {:root { --page: #14171f; --sheet: #1c212c; --text: #e9ecf3; --soft: #a9b2c5; --line: #3a4254; --bubble: #333c4e; --frame: #596278 } }
* { box-sizing: border-box }
body { margin: 0; padding: 20px; background: var(--page); color: var(--text); font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere }
p, h1 { margin: 0 }
.page, .scene { display: grid; grid-template-columns: minmax(0, 1fr) }
.page { max-width: 860px; margin: 0 auto; gap: 18px }
h1 { font-size: 18px; line-height: 1.3 }
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

const looks: Readonly<
	Record<Exclude<Channel['look'], 'mail'>, { style: string; render: (message: Message) => Html }>
> = {
	notification: { style: pushStyle, render: pushPage },
	text: { style: textStyle, render: textPage },
};

/** Holds for the page as a file. n8n's viewer removes it, so the page must be harmless without it. */
const policy = html`<meta
	http-equiv="content-security-policy"
	content="default-src 'none'; style-src 'unsafe-inline'"
/>`;

/** References such as `&#117;` to letters, hyphens and backslashes, which could hide the names below. */
const reference = /&(?:#(?:x([\da-f]+)|(\d+))|bsol;)/gi;

/** Attributes and functions of styles that load something or leave the page. */
const loading =
	/\b(?:(?:src(?:set)?|rel|http-equiv)(?=\s*=)|(?:url|src|image(?:-set)?)(?=[(&]))|(?<=@)import\b/gi;

/**
 * An email as it is, on white as in mail programs. n8n's viewer removes its scripts, frames and forms, but would
 * load its images. So whatever loads has another name here.
 */
function emailPage(content: string): string {
	const harmless = content
		.replace(reference, (found, hex: string = '', decimal: string = '') => {
			const code = parseInt(hex, 16) || Number(decimal);
			const hides = found === '&bsol;' || /[a-z\\-]/i.test(String.fromCharCode(code));
			return hides ? `&amp;${found.slice(1)}` : found;
		})
		// An escaped backslash in a style is no escape.
		.replace(/\\/g, '\\\\')
		.replace(loading, (name) => `no-${name}`);
	const background = new Html('<style>html { background: #fff }</style>');
	return html`<!doctype html>
		<meta charset="utf-8" />
		${policy} ${background} ${new Html(harmless)}`.text;
}

/**
 * Shows a message as its recipients will see it: an HTML page without scripts that loads nothing.
 * Undefined if the operation sends no message.
 */
export function messagePage(
	delivery: Delivery,
	body: unknown,
	{ resource, operation }: Pick<Run, 'resource' | 'operation'>,
): string | undefined {
	const channel = channels.find(({ value }) => value === resource);
	if (!channel || !isRecord(body)) return undefined;
	const field = (key: string) => {
		const value = Object.hasOwn(body, key) ? (body[key] ?? '') : '';
		return typeof value === 'string' ? value : JSON.stringify(value);
	};
	if (channel.look === 'mail') return emailPage(field('content'));
	const { style, render } = looks[channel.look];
	const page = html`<div class="page">
		<h1>${channel.name}: ${operation.name}</h1>
		<div class="sheet">${render({ field, delivery, operation })}</div>
	</div>`;
	const head = html`${policy}
		<style>
			${new Html(baseStyle + style)}
		</style>`;
	return htmlPage('en', 'Preview', head, page);
}
