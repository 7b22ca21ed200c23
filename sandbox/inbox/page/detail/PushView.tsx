import type { Platform } from '../../../terms';
import { Icon } from '../Icon';
import { Text } from '../Text';
import { hourOf, longDayOf } from '../times';

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
					<span class="lock-day">{longDayOf(atMs)}</span>
					<span class="lock-time">{hourOf(atMs)}</span>
				</div>
			);
		case 'android':
			return (
				<div class="status-bar" aria-hidden="true">
					<span>{hourOf(atMs)}</span>
					<span class="status-signs" />
				</div>
			);
		case 'web':
			return (
				<div class="browser-bar" aria-hidden="true">
					<span class="browser-dots" />
					<span class="browser-address">
						<Text of={hostOf(url)} />
					</span>
				</div>
			);
	}
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
					<Text of={platform === 'web' ? hostOf(field('url')) : 'Your app'} />
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

function hostOf(url: string): string {
	return (URL.canParse(url) && new URL(url).host) || 'your site';
}
