import { Batches } from '../engine';
import { isRecord } from '../fields/field';
import { parseUrl } from '../fields/link';
import { smsTexts } from '../fields/smsParts';
import type { N8n } from '../n8n/context';
import { channels } from '../operations/channels';
import type { Run } from '../run/resolveRun';
import { pickPart, policyFor, wireFor } from '../run/wire';
import { decideWritten } from '../schedule/format';
import { formatWhen } from '../schedule/localTime';
import type { Delivery } from '../shared/delivery';
import type { RunReport, UnsentResult } from '../shared/ending';
import { count } from '../shared/formatting';
import { html, Html, htmlPage } from '../shared/html';
import { inSlices } from '../shared/slices';
import { recipientOfDelivery } from './naming';

/** Only the first messages have a page, because n8n stores each page with the execution. */
const MAX_PAGES = 10;

/**
 * Builds the requests that would be sent, without sending any. Each row of a batch shows its own element.
 *
 * @param testItem the item whose message is sent as a test, and therefore not shown
 */
export async function previewAll(
	deliveries: readonly Delivery[],
	run: Run,
	n8n: Pick<N8n, 'now' | 'clock' | 'post'>,
	testItem?: number,
): Promise<RunReport> {
	const nowMs = n8n.now();
	const results: Array<UnsentResult<'preview', Delivery>> = [];
	const batches = new Batches(wireFor(run, n8n), policyFor(run));
	await inSlices(batches.requests(deliveries), { clock: n8n.clock }, ({ messages, batch }) => {
		for (const message of messages) {
			if (message.itemIndex === testItem) continue;
			const { operation, account } = run;
			const { url, body } = pickPart(message, run, nowMs);
			const schedule =
				message.schedule &&
				decideWritten(message.schedule, operation.schedule, account.format, nowMs);
			const delivery = { ...message, schedule };
			const page = results.length < MAX_PAGES ? messagePage(delivery, body, run) : undefined;
			const measured = operation.measure?.(message);
			const values = { url, body, measured, page };
			results.push({ delivery, ending: { kind: 'preview', values }, batch });
		}
	});
	return { results, requests: 0 };
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
		const value = body[key] ?? '';
		return typeof value === 'string' ? value : JSON.stringify(value);
	};
	if (channel.look === 'mail') return emailPage(field('content'));
	const split = operation.inParts === undefined ? undefined : smsTexts(field(operation.inParts));
	const picture =
		channel.look === 'text'
			? onPhone(split?.parts ?? (operation.counted ?? []).map(field), split !== undefined)
			: onScreen(field, delivery.platform === 'web');
	const facts = Object.entries({
		To: recipientOfDelivery(delivery) ?? '',
		When: describeTime(delivery),
		'Leads to': field('url'),
		'Second button leads to': field('button_two_url'),
		Parts: split ? `${split.parts.length} in ${split.encoding}` : '',
	});
	const head = html`${policy}
		<style>
			${new Html(style)}
		</style>`;
	const page = html`<h1>${channel.name}: ${operation.name}</h1>
		${picture}
		${facts.map(
			([name, text]) => text !== '' && html`<p class="fact"><b>${name}</b> ${shown(text)}</p>`,
		)}`;
	return htmlPage('en', 'Preview', head, page);
}

/** Text of a message, isolated so that characters that change the direction of text affect only it. */
const shown = (text: string) => html`<bdi>${text}</bdi>`;

function describeTime({ schedule }: Delivery): string {
	if (schedule?.kind === 'delay') return `${count(schedule.seconds, 'second')} after it is sent`;
	return schedule?.kind === 'at' ? formatWhen(schedule.instantMs, schedule.zone) : 'At once';
}

/** A push notification on the lock screen of a phone, or on a desktop. */
function onScreen(field: (key: string) => string, isWeb: boolean): Html {
	const app = isWeb ? (parseUrl(field('url'))?.host ?? 'Your site') : 'Your app';
	const image = (isWeb && field('hero_image_url')) || field('image_url');
	const buttons = isWeb ? [field('button_one_title'), field('button_two_title')] : [];
	return html`<div class="${isWeb ? 'desk' : 'phone lock'}">
		<div class="card">
			<p class="note">${shown(app)}</p>
			<p><b>${shown(field('title'))}</b></p>
			<p>${shown(field('message'))}</p>
			${image && html`<p class="image">Image, not loaded here: ${shown(image)}</p>`}
			<p>${buttons.filter(Boolean).map((title) => html`<b class="button">${shown(title)}</b> `)}</p>
		</div>
	</div>`;
}

/** A text on a phone, in the parts in which the network carries it if it is split. */
function onPhone(parts: readonly string[], isSplit: boolean): Html {
	return html`<div class="phone">
		${parts.map(
			(part, index) =>
				html`<div class="bubble">${shown(part)}</div>
					${isSplit && html`<p class="note">Part ${index + 1} of ${parts.length}</p>`}`,
		)}
	</div>`;
}

/**
 * Styles of a preview page. They load nothing, and use only tags and classes, because n8n's viewer
 * removes every other attribute. The page is dark where the browser is.
 */
const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, CanvasText 20%, Canvas) }
* { box-sizing: border-box }
body { max-width: 860px; margin: 0 auto; padding: 20px; background: Canvas; color: CanvasText; font: 14px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { margin: 0 0 18px; font-size: 18px }
p { margin: 0 }
bdi { white-space: pre-wrap }
.note { margin-bottom: 12px; font-size: 12px; opacity: 0.7 }
.fact { padding: 7px 14px; border-bottom: 1px solid var(--line) }
.phone { width: 340px; max-width: 100%; margin: 0 auto 18px; padding: 28px 12px; border: 8px solid var(--line); border-radius: 40px }
.lock { min-height: 400px; padding-top: 110px; background: linear-gradient(165deg, #2b3a78, #6a4a94 48%, #a5566f) }
.desk { margin-bottom: 18px; padding: 56px 16px 22px; border-radius: 12px; background: linear-gradient(160deg, #dfe5f3, #b9c6e4) }
.desk .card { max-width: 360px; margin-left: auto }
.card { display: grid; gap: 8px; padding: 13px 15px; border-radius: 16px; color: #14171f; background: #f5f5f9 }
.image, .button { padding: 6px 10px; border-radius: 8px; color: #2c43a8; background: #e4e9fc }
.bubble { max-width: 92%; padding: 9px 14px; border-radius: 19px 19px 19px 5px; background: var(--line) }
`;

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
