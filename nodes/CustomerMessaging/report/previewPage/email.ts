import { emailContent } from './emailContent';
import { facts, listGaps, type Message, nameRecipient, readText } from './fields';
import { html, type Html, shown } from '../../shared/html';

/** An email with its envelope. Its HTML is rebuilt from harmless tags; see `emailContent`. */
export function emailPage(message: Message): Html {
	const field = (key: string) => readText(message, key);
	const { content, links, moreLinks } = emailContent(field('content'));
	const address = field('sender_email');
	return html`<div class="mail">
			<p class="subject">${shown(field('subject'))}</p>
			${facts([
				['From', `${field('sender_name')}${address && ` <${address}>`}`.trim()],
				['To', nameRecipient(message)],
				['Cc', field('email_cc')],
				['Reply to', field('reply_to')],
				['When', message.when],
				['Campaign', field('campaign_name')],
				['Empty', listGaps(message)],
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
