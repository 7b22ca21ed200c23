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

/** A message, as its page needs it. */
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

/** Lists the recipients, the time and other facts of a message, if they are not empty. */
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

/** A push notification on the lock screen of a phone, or on a desktop. */
function pushPage(message: Message): Html {
	const { field, delivery } = message;
	const { platform = 'android', schedule } = delivery;
	const isWeb = platform === 'web';
	const app = isWeb ? (parseUrl(field('url'))?.host ?? 'Your site') : 'Your app';
	const image = (isWeb && field('hero_image_url')) || field('image_url');
	const titles = isWeb ? [field('button_one_title'), field('button_two_title')] : [];
	// The hour and minute of an ISO 8601 time.
	const clock = (schedule && describeSchedule(schedule)?.local.slice(11, 16)) ?? '9:41';
	const device = { android: 'an Android phone', ios: 'an iPhone', web: 'a desktop' }[platform];
	return html`<div class="${isWeb ? 'desk' : 'phone lock'}">
			${!isWeb && html`<div class="clock">${clock}</div>`}
			<div class="card">
				<p class="app">${shown(app, 100)}</p>
				<p class="title">${shown(field('title'))}</p>
				<p>${shown(field('message'))}</p>
				${
					image &&
					html`<div class="image">
						<b>Image</b><span>${shown(image, 200)}</span><span>Not loaded here</span>
					</div>`
				}
				<div class="buttons">
					${titles.filter(Boolean).map((title) => html`<span>${shown(title, 200)}</span>`)}
				</div>
			</div>
		</div>
		<p class="caption">On ${device}. Each device shows it in its own way.</p>
		${facts(message, {
			'Leads to': field('url'),
			'Second button leads to': field('button_two_url'),
		})}`;
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
	return html`<div class="phone">
			<p class="sender">${shown(sender[0] ?? '', 200)}</p>
			${parts.slice(0, MAX_PARTS).map(
				(part, index) =>
					html`<div class="bubble">${shown(part)}</div>
						${inParts && html`<p class="note">Part ${index + 1} of ${parts.length}</p>`}`,
			)}
			${left > 0 && html`<p class="note">And ${count(left, 'more part')}.</p>`}
		</div>
		<p class="caption">${inParts && 'The phone joins the parts again. Each part is charged.'}</p>
		${facts(message, {
			From: sender.join(' '),
			Parts: split ? `${parts.length} in ${split.encoding}` : inParts ? 'Too long to count' : '',
		})}`;
}

/**
 * Styles of a preview page. They load nothing, and use only tags and classes, because n8n's viewer
 * removes every other attribute. The page is dark where the browser is.
 */
const style = `
:root { color-scheme: light dark; --soft: color-mix(in srgb, CanvasText 68%, Canvas); --line: color-mix(in srgb, CanvasText 20%, Canvas) }
* { box-sizing: border-box }
body { max-width: 860px; margin: 0 auto; padding: 20px; background: Canvas; color: CanvasText; font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere }
p { margin: 0 }
h1 { margin: 0 0 18px; font-size: 18px; line-height: 1.3 }
.caption, .note, dt { color: var(--soft); font-size: 12px; font-style: normal }
.caption { margin: 8px 0 18px; text-align: center }
.facts { display: flex; flex-wrap: wrap; margin: 0 }
.facts div { flex: 1 1 260px; padding: 7px 14px; border-top: 1px solid var(--line) }
.facts dd { margin: 0 }
bdi { white-space: pre-wrap }
.phone { width: 340px; max-width: 100%; margin: 0 auto; padding: 28px 12px; border: 8px solid var(--soft); border-radius: 40px }
.lock { min-height: 400px; background: linear-gradient(165deg, #2b3a78, #6a4a94 48%, #a5566f) }
.clock { padding-bottom: 26px; text-align: center; font-size: 58px; line-height: 1.1; font-weight: 600; color: #fff }
.desk { padding: 56px 16px 22px; border-radius: 12px; background: linear-gradient(160deg, #dfe5f3, #b9c6e4) }
.desk .card { width: 360px; max-width: 100%; margin-left: auto }
.card { display: grid; gap: 8px; padding: 13px 15px; border-radius: 16px; color: #14171f; background: #f5f5f9 }
.app { font-size: 12px; color: #5a6275 }
.title { font-weight: 650; font-size: 15px; line-height: 1.35 }
.image { display: grid; padding: 18px 12px; border-radius: 10px; text-align: center; font-size: 12px; color: #4a5468; background: #e3e7ef }
.buttons { display: flex; flex-wrap: wrap; gap: 8px }
.buttons span { flex: 1 1 auto; padding: 6px 10px; border-radius: 8px; text-align: center; font-weight: 600; color: #2c43a8; background: #e4e9fc }
.sender { padding-bottom: 10px; margin-bottom: 12px; text-align: center; font-weight: 600; border-bottom: 1px solid var(--line) }
.bubble { max-width: 92%; padding: 9px 14px; border-radius: 19px 19px 19px 5px; background: var(--line) }
.phone .note { margin: 2px 0 12px }
`;

const pages: Readonly<Record<Exclude<Channel['look'], 'mail'>, (message: Message) => Html>> = {
	notification: pushPage,
	text: textPage,
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
	const head = html`${policy}
		<style>
			${new Html(style)}
		</style>`;
	const page = html`<h1>${channel.name}: ${operation.name}</h1>
		${pages[channel.look]({ field, delivery, operation })}`;
	return htmlPage('en', 'Preview', head, page);
}
