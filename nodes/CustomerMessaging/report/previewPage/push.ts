import type { Platform } from '../../shared/delivery';
import { describeSchedule } from '../../schedule/format';
import { parseUrl } from '../../fields/link';
import {
	describeLength,
	facts,
	gapsFact,
	linkFact,
	type Message,
	readText,
	recipientFact,
} from './fields';
import { html, type Html, shown } from '../../shared/html';

/** A push notification on the lock screen of its platform, or beside a browser. */
export function pushPage(message: Message, platform: Platform): Html {
	return html`${platform === 'web' ? browser(message) : phone(message, platform)}
	${facts([
		recipientFact(message),
		{ name: 'When', text: message.when },
		linkFact('Leads to', readText(message, 'url')),
		linkFact('Second button', readText(message, 'button_two_url')),
		{ name: 'Image', text: readText(message, 'image_url') },
		{ name: 'Large image', text: readText(message, 'hero_image_url') },
		{ name: 'Title', text: describeLength(message, 'title') },
		{ name: 'Message', text: describeLength(message, 'message') },
		gapsFact(message),
	])}`;
}

function phone(message: Message, platform: 'android' | 'ios'): Html {
	const { schedule } = message.delivery;
	// The hour and minute of an ISO 8601 time.
	const clock = (schedule && describeSchedule(schedule)?.local.slice(11, 16)) ?? '9:41';
	return html`<div class="scene ${platform}">
		<div class="phone">
			<div class="clock">${clock}</div>
			${card(message, platform)}
		</div>
		<p class="caption">
			On the lock screen of an ${platform === 'ios' ? 'iPhone' : 'Android phone'}. Each device shows
			it in its own way.
		</p>
	</div>`;
}

function browser(message: Message): Html {
	return html`<div class="scene">
		<div class="browser">
			<div class="bar">
				<span class="dots"></span><span class="address">${shown(readHost(message), 100)}</span>
			</div>
			<div class="desk">${card(message, 'web')}</div>
		</div>
		<p class="caption">
			In a browser; phones with web push show it alike. Buttons and the large image need Chrome.
		</p>
	</div>`;
}

function card(message: Message, platform: Platform): Html {
	const field = (key: string) => readText(message, key);
	const isWeb = platform === 'web';
	const image = (isWeb && field('hero_image_url')) || field('image_url');
	const titles = [field('button_one_title'), field('button_two_title')].filter(
		(title) => isWeb && title !== '',
	);
	return html`<div class="card">
		<div class="card-head">
			<span class="icon"></span>
			<span class="app">${isWeb ? shown(readHost(message), 100) : 'Your app'}</span>
			<span>now</span>
		</div>
		<p class="title">${shown(field('title'))}</p>
		<p class="text">${shown(field('message'))}</p>
		${image && imagePlaceholder('Image', image)}
		${titles.length > 0 ? html`<div class="buttons">${titles.map((title) => html`<span>${shown(title, 200)}</span>`)}</div>` : undefined}
	</div>`;
}

/** Takes the place of an image, because a preview loads nothing. */
export function imagePlaceholder(what: string, address: string): Html {
	return html`<div class="image">
		<b>${shown(what, 200)}</b><span>${shown(address, 200)}</span
		><span class="note">Not loaded in this preview</span>
	</div>`;
}

function readHost(message: Message): string {
	return parseUrl(readText(message, 'url'))?.host ?? 'Your site';
}
