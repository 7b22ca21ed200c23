import { emailContent } from '../ask/emailContent';
import { firstCharacters } from '../fields/characters';
import type { Body } from '../shared/delivery';
import type { Problem } from '../shared/problem';
import { smsParts } from './smsParts';

/** How one kind of message carries a question and the link to its page. */
export interface AskChannel {
	/** The field of the message that is the heading of the page. */
	title: 'title' | 'subject' | 'campaign_name';
	/** Puts the link into the body. `fields.message` is the question. */
	write(fields: Body, link: string, buttonLabel: string): Body;
	check?(body: Body): Problem[];
}

/** A longer SMS is refused by many networks. */
const MAX_SMS_PARTS = 10;

/** A tap on the notification opens the page. A longer question is cut to so many characters, on web too. */
export function pushChannel(maxLength: number): AskChannel {
	return {
		title: 'title',
		write: ({ message, ...rest }, url) => ({
			...rest,
			message: firstCharacters(String(message), maxLength),
			url,
		}),
	};
}

/** The link is the last line. An SMS has no title. */
export const smsChannel: AskChannel = {
	title: 'campaign_name',
	write: ({ message, ...rest }, link) => ({ ...rest, message: `${String(message)}\n${link}` }),
	check({ message }) {
		const { parts } = smsParts(String(message)) ?? {};
		if (parts !== undefined && parts <= MAX_SMS_PARTS) return [];
		const length = parts === undefined ? 'too long' : `${parts} parts long`;
		return [
			{
				field: 'message',
				message: `With the link, the SMS is ${length}, but at most ${MAX_SMS_PARTS} parts can be sent. Shorten Message`,
			},
		];
	},
};

/** A button leads to the page. The address follows for programs that show no buttons. */
export const emailChannel: AskChannel = {
	title: 'subject',
	write: ({ message, ...rest }, link, buttonLabel) => ({
		...rest,
		content: emailContent(String(message), link, buttonLabel),
	}),
};
