import { useEffect, useRef } from 'preact/hooks';

export interface MailLink {
	text: string;
	url: string;
}

interface Props {
	seq: number;
	isPhone: boolean;
	onLinks: (links: MailLink[]) => void;
}

/** In pixels. An email may claim any height. */
const height = { least: 120, most: 4000 };
const mostLinks = 50;

/**
 * The content of an email, as high as it is. The frame has the origin of the page, so that the page can measure
 * it; no script runs in it.
 */
export function MailFrame({ seq, isPhone, onLinks }: Props) {
	const frame = useRef<HTMLIFrameElement>(null);
	const fit = () => {
		const root = frame.current?.contentDocument?.documentElement;
		if (!root || !frame.current) return;
		const fitting = Math.min(height.most, Math.max(height.least, root.offsetHeight));
		frame.current.style.height = `${fitting}px`;
	};
	useEffect(() => {
		let width = 0;
		const observer = new ResizeObserver(([entry]) => {
			const isOther = entry?.contentRect.width !== width;
			width = entry?.contentRect.width ?? 0;
			// A change of size right here would make the browser complain of a loop.
			if (isOther) requestAnimationFrame(fit);
		});
		if (frame.current) observer.observe(frame.current);
		return () => observer.disconnect();
	}, []);
	const onLoad = () => {
		const content = frame.current?.contentDocument;
		if (!content) return;
		onLinks(linksIn(content));
		nameImages(content);
		fit();
	};
	return (
		<iframe
			ref={frame}
			class={`mail-frame${isPhone ? ' is-phone' : ''}`}
			title="Content of the email"
			sandbox="allow-same-origin"
			referrerpolicy="no-referrer"
			src={`/sandbox/inbox/email/${seq}`}
			onLoad={onLoad}
		/>
	);
}

/** The sandbox has renamed the attribute, so that the links lead nowhere. */
function linksIn(content: Document): MailLink[] {
	const links = content.querySelectorAll<HTMLElement>('[data-href]:is(a, area)');
	return [...links].slice(0, mostLinks).map((link) => ({
		text: (link.textContent ?? '').trim().slice(0, 100),
		url: link.dataset.href ?? '',
	}));
}

/** Says what each image is, as the node's preview does, because nothing is loaded. Images in the email itself are shown. */
function nameImages(content: Document): void {
	for (const image of [...content.images].filter(({ naturalWidth }) => naturalWidth === 0)) {
		const { alt } = image;
		const lines: Array<[tag: string, text: string]> = [
			['b', alt ? `Image: ${alt}` : 'Image'],
			['span', image.getAttribute('src') ?? ''],
			['span', 'Not loaded in this preview'],
		];
		const placeholder = content.createElement('span');
		placeholder.className = 'not-loaded';
		for (const [tag, text] of lines) {
			const line = content.createElement(tag);
			line.textContent = text.slice(0, 200);
			placeholder.append(line);
		}
		image.replaceWith(placeholder);
	}
}
