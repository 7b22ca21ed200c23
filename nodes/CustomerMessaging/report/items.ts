import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { KnownRun } from '../run/resolveRun';
import { describeSchedule } from '../schedule/format';
import { withoutAnswer } from '../n8n/answerRequest';
import type { N8n } from '../n8n/context';
import type { Body } from '../shared/delivery';
import { hasFailed, type Result, type SentResult, toOutcome } from '../shared/ending';
import { tell } from '../shared/formatting';
import type { Mask } from '../shared/mask';
import { inSlices } from '../shared/slices';
import { labelReader } from './naming';
import { describeFailure } from './reasons';

/** Converts a run's results to output items, in the same order. */
export async function toItems(
	results: readonly Result[],
	n8n: Pick<N8n, 'clock' | 'mask' | 'hasErrorOutput' | 'isTool'>,
	run: KnownRun,
	input: readonly INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	const labelOf = labelReader(run);
	const holdsInput = run.settings?.includeInputFields;
	const items: INodeExecutionData[] = [];
	// A stopped run reports all its items too.
	await inSlices(results, { clock: n8n.clock }, (result) => {
		const row = input[result.delivery.itemIndex]?.json ?? {};
		const json = n8n.mask.value(toJson(result, run, labelOf, row)) as IDataObject;
		const columns = run.operation?.waits ? withoutAnswer(row) : row;
		const { error } = json;
		const whole = holdsInput
			? { ...columns, ...(hasFailed(result) && { error }), result: json }
			: json;
		const item = makeItem(result, whole, n8n.hasErrorOutput);
		const binary = n8n.isTool ? undefined : pageOf(result, n8n.mask);
		if (binary) item.binary = binary;
		items.push(item);
	});
	return items;
}

/**
 * Makes an item, and marks a failed one for the error output. n8n sends an item there if its `json` contains
 * only `error`, which leaves no room for details, or if the item itself has an `error`. n8n then copies the
 * item and merges it with its input row. If the copy had an `error` too, n8n would replace all of `json` by
 * its message. The property is therefore not enumerable, so that it is not copied.
 */
function makeItem(result: Result, json: IDataObject, hasErrorOutput: boolean): INodeExecutionData {
	const item: INodeExecutionData = { json, pairedItem: { item: result.delivery.itemIndex } };
	if (!hasErrorOutput || !hasFailed(result)) return item;
	return Object.defineProperty(item, 'error', {
		value: { message: json.error },
		enumerable: false,
		writable: true,
	});
}

function toJson(
	result: Result,
	run: KnownRun,
	labelOf: (field: string) => string,
	row: IDataObject,
): IDataObject {
	const asked = run.settings ? { resource: run.resource, operation: run.operation?.value } : {};
	const { delivery, ending, batch } = result;
	const { kind, code, values } = ending;
	if (kind === 'invalid') {
		const problems = values.problems.map((problem) => {
			const { field } = problem;
			return { field, message: tell(problem), label: labelOf(field) };
		});
		const error = problems.map(({ message }) => message).join('; ');
		return failedJson(error, { outcome: kind, problems, ...asked });
	}

	const { platform, userID, to, test } = delivery;
	const whom = { userID, ...to, platform };
	const schedule = ('scheduled' in result ? result.scheduled : undefined) ?? delivery.schedule;
	const sender = test &&
		run.mode?.kind === 'test' && { operation: run.mode.recipient.operation.value };
	// The outcome comes first, and values that are the same for all items come last.
	const last = {
		test,
		batch,
		...asked,
		...sender,
		schedule: schedule && describeSchedule(schedule),
	};
	if (kind === 'preview') {
		const { body, measured, url } = values;
		return asJson({ outcome: kind, ...whom, body, ...measured, method: 'POST', url, ...last });
	}
	if (kind === 'skipped') {
		const reason = code === 'sameInOtherBranch' ? 'sameMessage' : code;
		// A time that was changed was not sent.
		return asJson({ outcome: kind, ...whom, reason, ...values, ...last, schedule: undefined });
	}

	const { attempts, sentBefore: isEarlier } = result as SentResult;
	// Beside `unknown`, it would read as if the message had arrived.
	const sentBefore = kind === 'unknown' ? undefined : isEarlier;
	// The message names the redirect.
	const { outcome, ...rest } = { ...toOutcome(ending, attempts), redirectsTo: undefined };
	if (kind === 'accepted') return asJson({ outcome, ...whom, sentBefore, ...rest, ...last });
	const [message, description] = describeFailure(ending, run, delivery);
	if (!hasFailed(result)) return asJson({ outcome, ...whom, ...rest, message, ...last });
	const details = asJson({ outcome, ...rest, description, userID, platform, sentBefore, ...last });
	const newKeys = Object.entries(to ?? {}).filter(([key]) => !Object.hasOwn(row, key));
	return failedJson(message, details, Object.fromEntries(newKeys));
}

/**
 * n8n merges the input row with these fields, which replace its columns: the row may have the outcome of a
 * node before, but a column with the name of the recipient's key is the row's own.
 */
function failedJson(error: string, details: IDataObject, to: Readonly<Body> = {}): IDataObject {
	return asJson({ error, outcome: details.outcome, ...to, details });
}

/**
 * The page of a preview as a file for n8n's viewer; an agent cannot read files. The viewer has a View button for plain
 * text but none for HTML, and decides by `fileType` how to show a file. The file is in the item itself, because it is
 * small and n8n then does not have to store and delete it elsewhere.
 */
function pageOf({ ending, delivery }: Result, mask: Mask): INodeExecutionData['binary'] {
	if (ending.kind !== 'preview' || ending.values.page === undefined) return undefined;
	const bytes = Buffer.from(mask.text(ending.values.page));
	const { itemIndex, platform } = delivery;
	const preview: IBinaryData = {
		data: bytes.toString('base64'),
		mimeType: 'text/plain',
		fileType: 'html',
		fileName: `item-${itemIndex}${platform ? `-${platform}` : ''}.html`,
		fileExtension: 'html',
		fileSize: `${(bytes.length / 1000).toFixed(1)} kB`,
	};
	return { preview };
}

/** Removes fields whose value is undefined, as JSON would. */
function asJson(fields: Readonly<Record<string, unknown>>): IDataObject {
	const filled: Record<string, unknown> = {};
	for (const name in fields) if (fields[name] !== undefined) filled[name] = fields[name];
	// A copy has no room for more fields, which would stay in memory.
	return { ...filled } as IDataObject;
}

/** The items of a run that a mistake of this node ended. They hold only what cannot fail. */
export function itemsAfterMistake(
	results: readonly Result[],
	what: string,
	message: string,
	{ hasErrorOutput }: Pick<N8n, 'hasErrorOutput'>,
): INodeExecutionData[] {
	return results.map((result) => {
		const { kind: outcome, code: reason } = result.ending;
		const json = hasFailed(result)
			? failedJson(what, asJson({ outcome, reason, message }))
			: { outcome };
		return makeItem(result, json, hasErrorOutput);
	});
}
