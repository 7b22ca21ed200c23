import type { Channel } from '../../terms';

const paths = {
	push: 'M6 16v-5a6 6 0 1 1 12 0v5l2 2H4zM10 21h4',
	email: 'M3 6h18v12H3zM3 7l9 7 9-7',
	sms: 'M4 5h16v11H9l-5 4z',
	user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 4-6 8-6s8 2 8 6',
	event: 'M13 3 5 14h6l-1 7 8-11h-6z',
	campaign: 'M4 10v4h3l8 5V5L7 10zM18 9a4 4 0 0 1 0 6',
	reporting: 'M4 20h16M7 17v-6M12 17V6M17 17v-9',
	unknown: 'M12 17h.01M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2',
	image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01',
	inbox: 'M4 13h4l1.5 3h5l1.5-3h4M4 13l3-8h10l3 8v6H4z',
	sliders: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4',
	clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2',
	play: 'M8 5l11 7-11 7z',
	bin: 'M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13',
};

export type IconName = keyof typeof paths;

/** Hidden from screen readers, because the words beside it say the same. */
export function Icon({ name }: { name: IconName }) {
	return (
		<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
			<path d={paths[name]} />
		</svg>
	);
}

export function channelIcon(channel: Channel | null): IconName {
	return Object.keys(paths).find((name): name is IconName => name === channel) ?? 'unknown';
}
