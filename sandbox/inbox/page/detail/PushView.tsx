import type { Platform } from '../../../terms';
import { Icon } from '../Icon';
import { Text } from '../Text';
import { formatHour, formatLongDay } from '../times';

interface Props {
	/** A field of the body as text, or an empty string. */
	field: (key: string) => string;
	platform: Platform;
	atMs: number;
}

const captions: Record<Platform, string> = {
	web: 'In a browser',
	android: 'On a phone with Android',
	ios: 'On the lock screen of an iPhone',
};

export function PushView({ field, platform, atMs }: Props) {
	const hasExtras = [
		'hero_image_url',
		'button_one_title',
		'button_two_title',
		'button_two_url',
	].some((key) => field(key) !== '');
	return (
		<figure class="scene">
			<div class={`device ${platform}`}>
				<Surroundings {...{ platform, atMs }} url={field('url')} />
				<Notification {...{ field, platform }} />
			</div>
			<figcaption>
				{captions[platform]}: an approximation, because devices differ.
				{hasExtras &&
					platform !== 'web' &&
					' Buttons and the large image reach Chrome subscribers only.'}
			</figcaption>
			<dl class="facts">
				<Link name="Leads to" url={field('url')} />
				<Link name="Second button leads to" url={field('button_two_url')} />
				<Link name="Image" url={field('image_url')} />
				<Link name="Large image" url={field('hero_image_url')} />
			</dl>
		</figure>
	);
}

/** The surroundings of a notification, which show what device it is on. */
function Surroundings({ platform, atMs, url }: { platform: Platform; atMs: number; url: string }) {
	switch (platform) {
		case 'ios':
			return (
				<div class="lock" aria-hidden="true">
					<span class="lock-day">{formatLongDay(atMs)}</span>
					<span class="lock-time">{formatHour(atMs)}</span>
				</div>
			);
		case 'android':
			return (
				<div class="status-bar" aria-hidden="true">
					<span>{formatHour(atMs)}</span>
					<StatusIcons />
				</div>
			);
		case 'web':
			return (
				<div class="browser-bar" aria-hidden="true">
					<span class="browser-dots" />
					<span class="browser-address">
						<Text of={readHost(url)} />
					</span>
				</div>
			);
	}
}

/** Wi-Fi, signal and battery. */
function StatusIcons() {
	return (
		<svg class="status-icons" viewBox="0 0 62 16">
			<path d="M10 14.5 1.5 5.6a12.2 12.2 0 0 1 17 0z" />
			<path d="M24 14.5 38 1.5v13z" />
			<path d="M47 3h2.5V1.5h4V3H56a1 1 0 0 1 1 1v9.5a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1z" />
		</svg>
	);
}

function Notification({ field, platform }: Omit<Props, 'atMs'>) {
	const image = field('hero_image_url') || field('image_url');
	const buttons = [field('button_one_title'), field('button_two_title')].filter(
		(title) => title !== '',
	);
	return (
		<div class="notification">
			<div class="notification-head">
				<span class="app-icon">
					<Icon name="push" />
				</span>
				<span class="app-name">
					<Text of={platform === 'web' ? readHost(field('url')) : 'Your app'} />
				</span>
				<span class="notification-when">now</span>
			</div>
			<div class="notification-words">
				<p class="notification-title">
					<Text of={field('title')} />
				</p>
				<p class="notification-text">
					<Text of={field('message')} />
				</p>
			</div>
			{image && (
				<div class="placeholder">
					<Icon name="image" />
					<span>
						<Text of={image} />
					</span>
					<small>Not loaded: this page stays off the network</small>
				</div>
			)}
			{buttons.length > 0 && (
				<div class="notification-buttons">
					{buttons.map((title, index) => (
						<span key={index}>
							<Text of={title} />
						</span>
					))}
				</div>
			)}
		</div>
	);
}

/** Shown as text, because it leads out of the sandbox. */
function Link({ name, url }: { name: string; url: string }) {
	if (url === '') return null;
	return (
		<div class="fact">
			<dt>{name}</dt>
			<dd>
				<Text of={url} />
			</dd>
		</div>
	);
}

function readHost(url: string): string {
	return (URL.canParse(url) && new URL(url).host) || 'your site';
}
