import { isRecord } from '../fields/field';
import type { N8n } from '../n8n/context';
import type { Operation } from '../operations/operation';
import { listExpressions } from './expressions';

/** An expression whose value differs by itself: in each run, or from one day to the next. */
interface Differing {
	often: 'eachRun' | 'eachDay';
	code: string;
}

/**
 * Finds code that makes a parameter's value change by itself. It reads stored expressions, also within a collection.
 *
 * The lists are short on purpose: a miss costs at most an event that is tracked twice after a kill.
 */
export function differsByItself(raw: unknown): Differing | undefined {
	let found: Differing | undefined;
	for (const code of listExpressions(raw)) {
		const [ofRun] = differsInEachRun.exec(code) ?? [];
		if (ofRun !== undefined) return { often: 'eachRun', code: ofRun };
		const [ofDay] = differsEachDay.exec(code) ?? [];
		if (ofDay !== undefined) found ??= { often: 'eachDay', code: ofDay };
	}
	return found;
}

/** The expressions of an operation that differ by themselves, by the API's key of their field. */
export function differingFields(
	operation: Pick<Operation, 'form'>,
	n8n: Pick<N8n, 'raw'>,
): Map<string, Differing> {
	return new Map(
		storedFields(operation, n8n).flatMap(([name, stored]) => {
			const differing = differsByItself(stored);
			return differing ? [[name, differing]] : [];
		}),
	);
}

/** The stored value of each field of an operation, also within Additional Fields. */
export function storedFields(
	{ form }: Pick<Operation, 'form'>,
	{ raw }: Pick<N8n, 'raw'>,
): Array<[name: string, stored: unknown]> {
	return form.flatMap(({ name }): Array<[string, unknown]> => {
		const stored = raw(name);
		return name === 'additionalFields' && isRecord(stored)
			? Object.entries(stored)
			: [[name, stored]];
	});
}

const sameAllDay = String.raw`\s*\.\s*(?:toISODate\(\s*\)|startOf\(\s*(?!['"](?:hour|minute|second|millisecond)))`;

const differsInEachRun = new RegExp(
	[
		String.raw`\$now\b(?!${sameAllDay})`,
		String.raw`\$execution(?:Id)?\b`,
		String.raw`\bnew\s+Date\b(?!\s*\(\s*[^\s)])`,
		String.raw`\bDate(?<!\bnew\s+Date)(?:\.now)?\(\s*\)`,
		String.raw`\bDateTime\.(?:now|local|utc)\(\s*\)`,
		String.raw`\brandom(?:Item)?\s*\(`,
	].join('|'),
);

const differsEachDay = new RegExp(String.raw`\$today\b|\$now${sameAllDay}`);
