import { readAnswerForm } from '../ask/form';
import { characterCount, isLongerThan } from '../fields/characters';
import type { Fields } from '../fields/field';
import { MAX_QUESTION_LENGTH } from '../shared/ask';
import type { Body } from '../shared/delivery';
import type { Problem } from '../shared/problem';
import type { AskChannel } from './askChannels';
import { clashesWith } from './extra';
import { messageOperation } from './message';
import type { MessageOperation } from './messageOperation';
import type { Operation } from './operation';

type Entry = Omit<
	MessageOperation,
	'value' | 'name' | 'description' | 'optional' | 'audience' | 'asks' | 'recipients'
> & { recipients: Fields; channel: AskChannel };

/** As in n8n's own nodes. */
const DEFAULT_LABEL = 'Respond';

/**
 * Creates the operation that asks one person and waits for the answer: the message of `send`, with a link
 * to a page of n8n. Its fields `message` and the rest have the names of n8n's own nodes.
 */
export function askOperation({ channel, recipients, ...entry }: Entry): Operation {
	const message = messageOperation({
		...entry,
		value: 'sendAndWait',
		name: 'Send and Wait for Response',
		description: 'Ask one person and continue when they reply on the linked page',
		recipients: chosenByUser(recipients),
		optional: {},
		asks: true,
	});
	return {
		...message,
		buildBody: undefined,
		waits: true,
		check(row, context) {
			const { answerUrl, messageButtonLabel = DEFAULT_LABEL, responseFormButtonLabel } = context;
			if (answerUrl === undefined) throw new Error('A question needs the link that answers it');
			const read = readAnswerForm(row.parameters);
			const parameters = { ...row.parameters, sendAt: 'now' };
			const checked = message.check({ ...row, parameters }, context);
			const problems = [
				...('problems' in checked ? checked.problems : []),
				...('problems' in read ? read.problems : []),
			];
			if (!('deliveries' in checked) || !('answerForm' in read)) return { problems };

			const fields: Body = { ...checked.deliveries[0]?.buildBody() };
			const text = String(fields.message).trim();
			const written = channel.write({ ...fields, message: text }, answerUrl, messageButtonLabel);
			problems.push(
				...tooLong(text),
				...clashesWith(onlySetByLink(fields, written), written),
				...(channel.check?.(written) ?? []),
			);
			if (problems.length > 0) return { problems };
			const { answerForm } = read;
			const { sender_name: from } = fields;
			const ask = {
				text,
				title: String(fields[channel.title]),
				...(typeof from === 'string' ? { from } : {}),
				answerForm:
					answerForm.kind === 'freeText'
						? { ...answerForm, send: responseFormButtonLabel }
						: answerForm,
			};
			return {
				deliveries: checked.deliveries.map((delivery) => ({
					...delivery,
					buildBody: () => written,
					ask,
				})),
			};
		},
	};
}

/** The fields that name a single person. A model must not choose who reviews what it wants to do. */
function chosenByUser(recipients: Fields): Fields {
	return Object.fromEntries(
		Object.entries(recipients)
			.filter(([, { reaches }]) => reaches === 'recipient')
			.map(([key, field]) => [key, { ...field, modelMayFill: false }]),
	);
}

/** Fields of the body, from Extra Body Fields, that the link needs. */
function onlySetByLink(fields: Body, written: Body): Body {
	return Object.fromEntries(
		Object.entries(fields).filter(
			([key, value]) => key !== 'message' && written[key] !== value && key in written,
		),
	);
}

function tooLong(text: string): Problem[] {
	if (!isLongerThan(text, MAX_QUESTION_LENGTH)) return [];
	const message = `Message has ${characterCount(text)} characters, but a question takes at most ${MAX_QUESTION_LENGTH}. Shorten it`;
	return [{ field: 'message', message }];
}
