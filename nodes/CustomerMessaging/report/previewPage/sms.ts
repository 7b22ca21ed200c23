import { smsTexts } from '../../operations/smsParts';
import { describeCostly } from '../smsHints';
import { count } from '../../shared/formatting';
import { describeLength, facts, gapsFact, type Message, readText, recipientFact } from './fields';
import { html, type Html, shown } from '../../shared/html';

/** More parts would make the page unreadable. */
const MAX_PARTS = 10;

/** An SMS on a phone, split into the parts in which the network carries it. */
export function smsPage(message: Message): Html {
	const text = readText(message, 'message');
	const split = smsTexts(text);
	const { parts, encoding } = split ?? { parts: [text], encoding: '' };
	const left = parts.length - MAX_PARTS;
	const sender = [readText(message, 'sender_name'), readText(message, 'sender_mobile')].join(' ');
	return html`<div class="scene">
			<div class="phone">
				<p class="sender">
					${shown(readText(message, 'sender_name') || readText(message, 'sender_mobile'), 200)}
				</p>
				${parts.slice(0, MAX_PARTS).map((part, index) => renderPart(part, index + 1, parts.length))}
				${left > 0 ? html`<p class="note">And ${count(left, 'more part')}.</p>` : undefined}
			</div>
			<p class="caption">The phone joins the parts again. Each part is charged.</p>
		</div>
		${facts([
			recipientFact(message),
			{ name: 'From', text: sender.trim() },
			{ name: 'When', text: message.when },
			{
				name: 'Parts',
				text: split ? String(parts.length) : 'Too long to count',
				look: parts.length > 1 ? (describeCostly(text) ?? 'each is charged') : undefined,
			},
			{
				name: 'Length',
				text: [describeLength(message, 'message'), encoding].filter(Boolean).join(', '),
			},
			{ name: 'Campaign', text: readText(message, 'campaign_name') },
			gapsFact(message),
		])}`;
}

function renderPart(text: string, number: number, total: number): Html {
	return html`<div class="part">
		<div class="bubble">${shown(text)}</div>
		<p class="note">Part ${number} of ${total}</p>
	</div>`;
}
