import type { Plan } from '../plan/plan';
import type { History } from '../run/history';
import { asSentence, count } from '../shared/formatting';
import { correctionLines, inWords, type Naming } from './corrections';
import { itemName, recipientOfDelivery } from './itemNames';
import type { FailureText } from './messages';
import { toEditorHtml } from './editorHtml';
import { countReasons, tally } from './summary';

/** Up to this many corrections of a single item are told in the message itself. */
const MAX_TOLD = 3;

/**
 * Summarizes all rows that cannot be sent, for On Error: Stop Workflow. This attempt sent nothing; the
 * summary also says what earlier attempts sent. Together, message and description stay below 8 kB.
 */
export function invalidSummary(plan: Plan, { isRetry }: History, naming: Naming): FailureText {
	const { concernsAll, earlier } = plan;
	const isAgain = isRetry || concernsAll?.some(({ field }) => field === 'execution');
	const nothing = earlier.length > 0 || isAgain ? 'Nothing more was sent' : 'Nothing was sent';
	const { message, lines } = concernsAll
		? { message: concernsAll.map(({ message }) => message).join('; '), lines: [] }
		: plan.invalid.length === 1
			? aboutOne(plan, naming)
			: aboutSeveral(plan, naming);
	const before =
		earlier.length > 0 ? [`Before this attempt: ${tally(earlier, recipientOfDelivery)}`] : [];
	return {
		message: `${nothing}: ${message}`,
		description: toEditorHtml([...lines, ...before].join('\n')),
	};
}

interface Told {
	message: string;
	lines: string[];
}

function aboutOne({ invalid, itemCount }: Plan, naming: Naming): Told {
	const [{ itemIndex, problems } = { itemIndex: 0, problems: [] }] = invalid;
	const told = problems.slice(0, MAX_TOLD).map((problem) => inWords(problem, naming.labelOf));
	const more = problems.length - told.length;
	const rest = more > 0 ? [`${count(more, 'more correction')} below`] : [];
	const name = itemName(itemIndex, naming.recipientOf(itemIndex));
	return {
		message: `${[...told, ...rest].map(asSentence).join(' ').replace(/\.$/, '')}${itemCount > 1 ? ` (${name})` : ''}`,
		lines: [
			...(more > 0 ? correctionLines(invalid, naming) : []),
			...(itemCount > 1 ? [sendOthers] : []),
		],
	};
}

function aboutSeveral({ invalid, itemCount }: Plan, naming: Naming): Told {
	return {
		message: `${invalid.length} of ${itemCount} items need a correction: ${countReasons(invalid, naming.labelOf)}`,
		lines: [
			...correctionLines(invalid, naming),
			...(invalid.length < itemCount ? [sendOthers] : [countFromZero]),
		],
	};
}

const countFromZero = 'Items count from 0.';

const sendOthers = `To send the other items anyway, set On Error in the node's Settings to Continue (using error output). ${countFromZero}`;
