import { html, type Html, shown } from '../../shared/html';
import { smsParts } from '../../operations/smsParts';
import { listGaps, type Message, nameRecipient, readText } from './fields';

/** One line of the card. */
interface Line {
	name: string;
	text: string;
	/** Whether somebody should look at it before the message goes out. */
	needsLook?: boolean;
}

/** What to check before a message goes out, green or amber line by line. */
export function checkCard(message: Message, resource: string): Html {
	const lines = [
		listAudience(message),
		listSender(message),
		{ name: 'Time', text: message.when },
		listLinks(message),
		resource === 'sms' ? listParts(message) : { name: '', text: '' },
		listPlaceholders(message),
	].filter(({ text }) => text !== '');
	return html`<table class="facts checks">
		${lines.map(
			({ name, text, needsLook }) =>
				html`<tr>
					<th>
						<span class="${needsLook ? 'look' : 'good'}">${needsLook ? '!' : '✓'}</span> ${name}
					</th>
					<td>${shown(text)}</td>
				</tr>`,
		)}
	</table>`;
}

function listAudience(message: Message): Line {
	const { audience, platform } = message.delivery;
	const where = platform ? `, on ${platform === 'ios' ? 'iOS' : upperFirst(platform)}` : '';
	return {
		name: 'Audience',
		text: `${nameRecipient(message)}${audience === undefined ? '' : where}`,
		needsLook: audience !== undefined,
	};
}

function listSender(message: Message): Line {
	const names = ['sender_name', 'sender_email', 'sender_mobile'];
	const text = names.map((key) => readText(message, key)).filter((name) => name !== '');
	return { name: 'Sender', text: text.join(', ') };
}

/** An address in a text or in the attribute of a tag. */
const address = /\bhttps?:\/\/[^\s"'<>]+/gi;

function listLinks({ body }: Message): Line {
	const links = Object.entries(body).flatMap(([key, text]) =>
		typeof text === 'string' && !key.endsWith('image_url') ? (text.match(address) ?? []) : [],
	);
	const hosts = [...new Set(links.map((link) => link.split('/').slice(0, 3).join('/')))];
	const more = hosts.length > 5 ? ` and ${hosts.length - 5} more` : '';
	return {
		name: 'Links',
		text: links.length > 0 ? `${links.length} to ${hosts.slice(0, 5).join(', ')}${more}` : 'None',
		needsLook: hosts.some((host) => /^http:/i.test(host)),
	};
}

function listParts(message: Message): Line {
	const name = 'SMS parts';
	const { parts } = smsParts(readText(message, 'message')) ?? {};
	if (parts === 1) return { name, text: '1 part' };
	const text = parts === undefined ? 'Too long to count' : `${parts} parts, each is charged`;
	return { name, text, needsLook: true };
}

function listPlaceholders(message: Message): Line {
	const gaps = listGaps(message);
	return { name: 'Empty placeholders', text: gaps || 'None', needsLook: gaps !== '' };
}

function upperFirst(word: string): string {
	return word.charAt(0).toUpperCase() + word.slice(1);
}
