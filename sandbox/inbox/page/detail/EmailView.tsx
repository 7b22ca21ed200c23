import { useState } from 'preact/hooks';
import { Text } from '../Text';
import { MailFrame, type MailLink } from './MailFrame';

const maxSource = 20_000;

interface Props {
	field: (key: string) => string;
	seq: number;
	to: string;
}

export function EmailView({ field, seq, to }: Props) {
	const [isPhone, setIsPhone] = useState(false);
	const [links, setLinks] = useState<MailLink[]>([]);
	const source = field('content');
	const envelope: Array<[string, string]> = [
		[
			'From',
			[field('sender_name'), field('sender_email') && `<${field('sender_email')}>`]
				.filter(Boolean)
				.join(' '),
		],
		['To', to],
		['Subject', field('subject')],
		['Reply to', field('reply_to')],
		['Copy to', field('email_cc')],
		['Campaign', field('campaign_name')],
	];
	return (
		<figure class="mail">
			<dl class="envelope">
				{envelope.map(
					([name, value]) =>
						value && (
							<div key={name} class="fact">
								<dt>{name}</dt>
								<dd>
									<Text of={value} />
								</dd>
							</div>
						),
				)}
			</dl>
			<div class="views mail-widths" role="group" aria-label="Width of the email">
				<button type="button" aria-pressed={!isPhone} onClick={() => setIsPhone(false)}>
					On a computer
				</button>
				<button type="button" aria-pressed={isPhone} onClick={() => setIsPhone(true)}>
					On a phone
				</button>
			</div>
			<MailFrame {...{ seq, isPhone }} onLinks={setLinks} />
			{links.length > 0 && <Links links={links} />}
			<details>
				<summary>
					Source <span class="muted">{source.length.toLocaleString()} characters</span>
				</summary>
				<pre tabIndex={0} aria-label="Source of the email" role="region">
					{source.slice(0, maxSource)}
				</pre>
				{source.length > maxSource && <p class="muted">Only the beginning is shown.</p>}
			</details>
			<figcaption>Scripts, forms, links and anything from the network are switched off.</figcaption>
		</figure>
	);
}

/** Shown as text, because they lead out of the sandbox. */
function Links({ links }: { links: MailLink[] }) {
	return (
		<section class="mail-links" aria-label="Links of the email">
			<h3>Links</h3>
			<ol>
				{links.map(({ text, url }, index) => (
					<li key={index}>
						<strong>
							<Text of={text || 'Without words'} />
						</strong>{' '}
						<Text of={url || 'leads nowhere'} />
					</li>
				))}
			</ol>
		</section>
	);
}
