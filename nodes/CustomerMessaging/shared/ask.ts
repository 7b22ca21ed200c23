import type { IDataObject } from 'n8n-workflow';

/** A row without the column of an answer, so that an earlier answer is never taken for the one that is asked for. */
export function withoutAnswer(row: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(row).filter(([column]) => column !== 'data'));
}

export function hasAnswerColumn(row: IDataObject): boolean {
	return Object.hasOwn(row, 'data');
}

/** What the page behind a link asks, and how it can be answered. */
export interface Ask {
	/** The whole question, which the message may have to shorten. */
	text: string;
	/** The heading of the page: the title or subject of the message, or its campaign. */
	title: string;
	/** The name of the sender. */
	from?: string;
	answerForm: AnswerForm;
}

export type AnswerForm =
	/** The labels of the buttons. Without `decline`, there is only one. */
	| { kind: 'approval'; approve: string; decline?: string }
	/** The label of the button, if the sender set one. */
	| { kind: 'freeText'; send?: string };

/** Longer questions cannot be read on a phone, and are stored with the execution. */
export const MAX_QUESTION_LENGTH = 10_000;

export const MAX_ANSWER_LENGTH = 5_000;
