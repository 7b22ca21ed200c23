import { emailContent } from './emailContent';
import { facts, gapsFact, type Message, readText, recipientFact } from './fields';
import { html, type Html, shown } from '../../shared/html';

/** An email with its envelope. Its HTML is rebuilt from harmless tags; see `emailContent`. */
export function emailPage(message: Message): Html {
	const field = (key: string) => readText(message, key);
	const { content, links, moreLinks } = emailContent(field('content'));
	const address = field('sender_email');
	return html`<div class="mail">
			<p class="subject">${shown(field('subject'))}</p>
			${facts([
				{ name: 'From', text: `${field('sender_name')}${address && ` <${address}>`}`.trim() },
				recipientFact(message),
				{ name: 'Cc', text: field('email_cc') },
				{ name: 'Reply to', text: field('reply_to') },
				{ name: 'When', text: message.when },
				{ name: 'Campaign', text: field('campaign_name') },
				{
					name: 'Links',
					text: links.length > 0 ? String(links.length + moreLinks) : '',
					look: links.some((link) => /^http:/i.test(link)) ? 'one is not encrypted' : undefined,
				},
				gapsFact(message),
			])}
			${content}
		</div>
		${
			links.length > 0
				? html`<ol class="links">
						${links.map((link) => html`<li>${shown(link, 300)}</li>`)}
					</ol>`
				: undefined
		}
		<p class="note">
			${moreLinks > 0 ? `And ${moreLinks} more links. ` : ''}About what it looks like: images are
			not loaded, links lead nowhere, and styles other than colors, sizes and alignment are left
			out.
		</p>`;
}
