import type { Ask, Body } from '../shared/delivery';
import { clashesWith } from './extra';
import type { Operation } from './operation';
import { questionEmail } from '../ask/page';
import { firstCharacters, isLongerThan } from '../fields/text';
import type { Problem } from '../shared/ending';
import { counted, say } from '../shared/sentence';
import { smsParts } from '../fields/smsParts';
import { readAnswerForm } from '../ask/form';
import type { Fields } from '../fields/field';
import { type MessageOperation, messageOperation } from './message';

/** Puts a question and the link to its page into one kind of message. */
export interface AskChannel {
	/** The field of the message that becomes the heading of the page. */
	title: string;
	/** True if the link is a button with a label. */
	hasButton?: boolean;
	/** Puts the link into the body. `fields.message` is the question. */
	write(fields: Body, link: string, buttonLabel: string): Body;
	check?(body: Body): Problem[];
}

/** A tap on the notification opens the page. A longer question is cut to `maxLength` characters, on web too. */
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

/** Many networks refuse a longer SMS. */
const MAX_SMS_PARTS = 10;

/** The link is the last line. An SMS has no title, so the page shows the campaign's name. */
export const smsChannel: AskChannel = {
	title: 'campaign_name',
	write: ({ message, ...rest }, link) => ({ ...rest, message: `${String(message)}\n${link}` }),
	check(body) {
		const { parts } = smsParts(String(body.message)) ?? {};
		if (parts !== undefined && parts <= MAX_SMS_PARTS) return [];
		const length = parts === undefined ? 'too long' : `${parts} parts long`;
		const sentence = say`With the link, the SMS is ${counted(length)}, but at most ${MAX_SMS_PARTS} parts can be sent. Shorten Message`;
		return [{ field: 'message', ...sentence }];
	},
};

/** A button leads to the page. The address follows for programs that show no buttons. */
export const emailChannel: AskChannel = {
	title: 'subject',
	hasButton: true,
	write: ({ message, ...rest }, link, buttonLabel) => ({
		...rest,
		content: questionEmail(String(message), link, buttonLabel),
	}),
};

/** Longer questions are hard to read on a phone, and they are stored with the execution. */
const MAX_QUESTION_LENGTH = 10_000;

type Entry = Omit<
	MessageOperation,
	'value' | 'name' | 'description' | 'optional' | 'audience' | 'waits' | 'recipients'
> & { recipients: Fields; ask: AskChannel };

/**
 * Creates the operation that asks one person and waits for the answer: the message of `send`, with a link
 * to a page of n8n. Its fields have the names of n8n's own nodes.
 */
export function askOperation({ ask: channel, recipients, ...entry }: Entry): Operation {
	const message = messageOperation({
		...entry,
		value: 'sendAndWait',
		name: 'Send and Wait for Response',
		description: 'Ask one person and continue when they reply on the linked page',
		// A model must not choose its own reviewer.
		recipients: Object.fromEntries(
			Object.entries(recipients)
				.filter(([, { reaches }]) => reaches === 'recipient')
				.map(([key, field]) => [key, { ...field, modelMayFill: false }]),
		),
		optional: {},
		waits: true,
	});
	return {
		...message,
		hasButton: channel.hasButton,
		bodyOfRow: undefined,
		check(row, context) {
			// The default label of n8n's own nodes.
			const { answerUrl, messageButtonLabel = 'Respond', responseFormButtonLabel } = context;
			if (answerUrl === undefined) throw new Error('A question needs the link that answers it');
			const read = readAnswerForm(row.parameters, responseFormButtonLabel);
			const parameters = { ...row.parameters, sendAt: 'now' };
			const checked = message.check({ ...row, parameters }, context);
			const problems = [checked, read].flatMap((one) => ('problems' in one ? one.problems : []));
			if (!('deliveries' in checked) || !('answerForm' in read)) return { problems };

			const fields: Body = { ...checked.deliveries[0]?.buildBody() };
			const text = String(fields.message).trim();
			const written = channel.write({ ...fields, message: text }, answerUrl, messageButtonLabel);
			// Extra Body Fields that the link would overwrite.
			const overwritten = Object.entries(fields).filter(
				([key, value]) => key !== 'message' && written[key] !== value && key in written,
			);
			if (isLongerThan(text, MAX_QUESTION_LENGTH)) {
				const rule = `Message is too long: a question takes at most ${MAX_QUESTION_LENGTH} characters. Shorten it`;
				problems.push({ field: 'message', rule });
			}
			problems.push(
				...clashesWith(Object.fromEntries(overwritten), written),
				...(channel.check?.(written) ?? []),
			);
			if (problems.length > 0) return { problems };
			const { [channel.title]: title, sender_name: from } = fields;
			const ask: Ask = { text, title: String(title), answerForm: read.answerForm };
			if (typeof from === 'string') ask.from = from;
			const buildBody = () => written;
			return { deliveries: checked.deliveries.map((one) => ({ ...one, buildBody, ask })) };
		},
	};
}
