import { givenOne, say, type Sentence } from '../shared/sentence';
import { converted } from './convert';
import { type Field, fieldForm, isEmpty, userOnly } from './field';
import { withoutInvisible } from './text';

/** Whether somebody agreed to get messages. It decides in the node, and is never sent. */
export const consent: Field = {
	...fieldForm('Consent', 'string', '', {
		...userOnly,
		placeholder: 'e.g. {{ $json.newsletter }}',
		description:
			'Whether the person agreed to get this. True, yes and 1 mean yes. False, no, 0 and empty mean no: the item is skipped.',
	}),
	rule: 'Not sent to the service',
	schema: converted((value) => value),
};

/** `empty` means no too. Undefined if the value may mean anything. */
export function readConsent(value: unknown): 'yes' | 'no' | 'empty' | undefined {
	const word = typeof value === 'string' ? withoutInvisible(value).toLowerCase() : value;
	if (isEmpty(word)) return 'empty';
	if (word === true || word === 1 || word === 'true' || word === 'yes' || word === '1')
		return 'yes';
	if (word === false || word === 0 || word === 'false' || word === 'no' || word === '0')
		return 'no';
	return undefined;
}

export function unclearConsent(value: unknown): Sentence {
	return say`Consent is ${givenOne(value)}. It must be true, yes or 1 for people who agreed, and false, no, 0 or empty for all others. Compute yes or no in an Edit Fields node before`;
}
