import type { INodeExecutionData } from 'n8n-workflow';

import type { N8n } from '../n8n/context';
import type { Plan } from '../plan/plan';
import type { KnownRun } from '../run/resolveRun';
import { grouped, listed, oneLine, tell, tellLog } from '../shared/formatting';
import type { Problem, Result } from '../shared/ending';
import { groupBy } from '../shared/slices';
import {
	asSentence,
	compact,
	itemNames,
	labelReader,
	MAX_NAMED,
	pickInvalid,
	recipientNamer,
	recipientOfDelivery,
	toEditorHtml,
} from './names';
import { countReasons, tally } from './summary';

/** The maximum length of the text about all items, which n8n stores and shows as a whole. */
const MAX_LENGTH = 6_000;
const MAX_MESSAGE = 500;
/** A hint has so many lines about corrections. */
const MAX_LINES = 5;
/** Up to this many corrections of an agent's call are told in the message itself. */
const MAX_TOLD = 3;

/** Names fields and items. */
interface Naming {
	labelOf: ReturnType<typeof labelReader>;
	recipientOf: ReturnType<typeof recipientNamer>;
	/** The run has several items, so each correction names its own. */
	isInAList: boolean;
}

function namingOf(run: KnownRun, items: readonly INodeExecutionData[], n8n: N8n): Naming {
	return {
		labelOf: labelReader(run),
		recipientOf: recipientNamer(run, items, n8n),
		isInAList: items.length > 1,
	};
}

/**
 * Summarizes all rows that cannot be sent, for On Error: Stop Workflow. This run sent nothing; the
 * summary also says what earlier attempts sent. Together, message and description stay below 8 kB.
 */
export function invalidSummary(
	plan: Plan,
	run: KnownRun,
	items: readonly INodeExecutionData[],
	n8n: N8n,
) {
	const { concernsAll, earlier } = plan;
	const naming = namingOf(run, items, n8n);
	const isAgain =
		run.history.isRetry ||
		n8n.hasOthersArguments ||
		concernsAll?.some(({ field }) => field === 'execution');
	const isLaterRound = !n8n.isTool && n8n.memory().runIndex > 0;
	const isMore = isLaterRound || earlier.length > 0 || isAgain;
	const nothing = isMore ? 'Nothing more was sent' : 'Nothing was sent';
	const { message, lines } = concernsAll
		? tellAll(concernsAll)
		: listCorrections(plan, naming, n8n.isTool);
	const before =
		earlier.length > 0 && `Before this attempt: ${tally(earlier, recipientOfDelivery)}`;
	const told = compact(lines.join('\n'), mayLeaveOut(plan, run)).join(' ');
	const description = toEditorHtml(compact(told, before).join('\n'));
	return {
		itemIndex: plan.invalid[0]?.delivery.itemIndex ?? 0,
		failure: { cause: 'configuration-invalid' },
		message: n8n.mask.text(`${nothing}: ${message}`),
		description: n8n.mask.text(description),
	};
}

/** A problem of all items is the message itself. Its values follow, which n8n's log must not hold. */
function tellAll(problems: readonly Problem[]) {
	const message = problems.map(tellLog).join('; ');
	const whole = problems.map((problem) => tell(problem)).join('; ');
	return { message, lines: message === whole ? [] : [asSentence(whole)] };
}

/** Users need not be lost because of a phone number that nobody can read. */
function mayLeaveOut({ invalid }: Plan, { operation, settings }: KnownRun): string | false {
	const isOptional = ({ field }: Problem) =>
		field === 'customAttributes' || (field !== 'extraBodyFields' && field in optional);
	const optional = operation?.hasAttributes ? operation.fields.optional : {};
	return (
		operation?.hasAttributes === true &&
		settings !== undefined &&
		!settings.leaveOutInvalid &&
		invalid.some(({ ending }) => ending.values.problems.every(isOptional)) &&
		"To send users without values that are not valid, turn on 'Leave Out Invalid Values' under Options."
	);
}

const sendOthers =
	"To send the other items anyway, set On Error in the node's Settings to Continue (using error output).";

/** A single correction is the message itself. Several are counted there, and follow on lines of their own. */
function listCorrections({ invalid, itemCount }: Plan, naming: Naming, isTool: boolean) {
	const { labelOf, isInAList } = naming;
	const [first] = invalid;
	const { problems = [] } = first?.ending.values ?? {};
	const lines = compact(
		...correctionLines(invalid, naming),
		invalid.length < itemCount && sendOthers,
	);
	// A model reads only the message.
	const isMessage = problems.length === 1 || (isTool && problems.length <= MAX_TOLD);
	if (invalid.length > 1 || !isMessage) {
		const labels = new Set(problems.map(({ field }) => labelOf(field)));
		const message = isInAList
			? `${invalid.length} of ${itemCount} items need a correction: ${countReasons(invalid, labelOf)}`
			: `${problems.length} corrections are needed: ${listed([...labels])}`;
		return { message, lines };
	}
	const told = problems.map((problem) => inWords(problem, labelOf, tellLog)).join('. ');
	const isWhole = problems.every((problem) => tell(problem) === tellLog(problem));
	return isInAList
		? { message: `${told} (item ${first?.delivery.itemIndex})`, lines }
		: { message: told, lines: isWhole ? [] : lines };
}

/** The sentence of a problem, with the label of its field if the sentence itself does not name it. */
function inWords(
	problem: Problem,
	labelOf: Naming['labelOf'],
	write: (problem: Problem) => string = tell,
): string {
	const label = labelOf(problem.field);
	const text = oneLine(write(problem), MAX_MESSAGE);
	return text.includes(label) ? text : `${label}: ${text}`;
}

/** The corrections that rows need, for a hint: as in the error, but only a few lines. */
export function correctionsFor(
	results: readonly Result[],
	run: KnownRun,
	items: readonly INodeExecutionData[],
	n8n: N8n,
): string[] {
	const invalid = pickInvalid(results);
	const naming = namingOf(run, items, n8n);
	const lines = correctionLines(invalid, naming);
	const left = lines.length - MAX_LINES;
	return left > 0 ? [...lines.slice(0, MAX_LINES), `And ${left} more.`] : lines;
}

/** One line for each field and rule, with the items that need the correction. */
function correctionLines(invalid: Plan['invalid'], naming: Naming): string[] {
	const found = invalid.flatMap(({ delivery, ending }) =>
		ending.values.problems.map((problem) => ({ ...problem, itemIndex: delivery.itemIndex })),
	);
	const byRule = groupBy(found, ({ field, rule }) => `${field} ${rule}`);
	return limited([...byRule.values()].map((group) => writeLine(group, naming)));
}

/** As many lines as n8n should store and show. */
function limited(all: readonly string[]): string[] {
	const lines: string[] = [];
	let length = 0;
	for (const line of all) {
		length += line.length;
		if (length > MAX_LENGTH) return [...lines, 'The error output lists all corrections.'];
		lines.push(line);
	}
	return lines;
}

/** Problems of several items, which differ only in the values of their rows. */
type Alike = ReadonlyArray<Problem & { itemIndex: number }>;

/** The problem and its items: of a few all, each with its value, and of more an example. */
function writeLine(group: Alike, { labelOf, recipientOf, isInAList }: Naming): string {
	const items = [...new Set(group.map(({ itemIndex }) => itemIndex))];
	const [example] = group;
	if (!example) return '';
	const differing = items.length > MAX_NAMED ? new Set<number>() : differingIn(group);
	const write = (problem: Problem) => tell(problem, differing);
	const sentence = asSentence(inWords(example, labelOf, write));
	if (!isInAList) return sentence;
	const [first] = differing;
	if (first === undefined) return `${sentence} ${nameRows(items, recipientOf)}.`;
	const byValue = groupBy(group, ({ values = [] }) => values[first]?.text ?? '');
	const found = [...byValue].map(([value, same]) => {
		const named = same.map(({ itemIndex }) => itemIndex);
		return `${value} in ${named.length === 1 ? 'item' : 'items'} ${itemNames(named, recipientOf)}`;
	});
	return `${sentence} Found: ${listed(found)}.`;
}

/** The places of the values that differ between problems. */
function differingIn(group: Alike): Set<number> {
	const [{ values = [] } = {}] = group;
	const places = values.flatMap(({ text }, at) =>
		group.some((one) => one.values?.[at]?.text !== text) ? at : [],
	);
	return new Set(places);
}

/** `Items 0 (C-1), 4 (C-5)`, or `182 items, for example item 0 (C-1)`. */
function nameRows(items: readonly number[], recipientOf: Naming['recipientOf']): string {
	const heading = items.length === 1 ? 'Item' : 'Items';
	return items.length > MAX_NAMED
		? `${grouped(items.length)} items, for example item ${itemNames([items[0] ?? 0], recipientOf)}`
		: `${heading} ${itemNames(items, recipientOf)}`;
}
