import { readAnswerForm } from '../ask/form';
import type { Ask, Body } from '../shared/delivery';
import { type MessageOperation, messageOperation } from './message';
import { clashesWith, type Operation } from './operation';

type Question = Required<Pick<MessageOperation, 'recipients' | 'ask'>> &
	Omit<MessageOperation, 'value' | 'name' | 'description' | 'optional' | 'audience'>;

/**
 * Creates the operation that asks one person and waits for the answer: the message of `send`, with a link
 * to a page of n8n. Its fields have the names of n8n's own nodes.
 */
export function askOperation({ ask: channel, recipients, ...entry }: Question): Operation {
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
		ask: channel,
	});
	return {
		...message,
		bodyOfRow: undefined,
		check(row, context) {
			// The default label of n8n's own nodes.
			const { answerUrl, messageButtonLabel = 'Respond', responseFormButtonLabel } = context;
			if (answerUrl === undefined) throw new Error('A question needs the link that answers it');
			const read = readAnswerForm(row.parameters, responseFormButtonLabel);
			const parameters = { ...row.parameters, sendAt: 'now' };
			const { deliveries, problems = [] } = message.check({ ...row, parameters }, context);
			if ('problems' in read) problems.push(...read.problems);
			if ('problems' in read || !deliveries) return { problems };

			const fields: Body = { ...deliveries[0]?.buildBody() };
			const text = String(fields.message).trim();
			const written = channel.write({ ...fields, message: text }, answerUrl, messageButtonLabel);
			// Extra Body Fields that the link would overwrite.
			const overwritten = Object.entries(fields).filter(
				([key, value]) => key !== 'message' && written[key] !== value,
			);
			problems.push(
				...clashesWith(Object.fromEntries(overwritten), written),
				...(channel.check?.(written) ?? []),
			);
			if (problems.length > 0) return { problems };
			const { [channel.title]: title, sender_name: from } = fields;
			const ask: Ask = { text, title: String(title), answerForm: read.answerForm };
			if (typeof from === 'string') ask.from = from;
			const buildBody = () => written;
			return { deliveries: deliveries.map((one) => ({ ...one, buildBody, ask })) };
		},
	};
}
