import { collectLabels, type Fields, isRecord } from '../fields/field';
import { parseJson } from '../fields/json';
import type { N8n } from '../n8n/context';
import { type Checked, declaredFields, type Operation, type Row } from '../operations/operation';
import { storedFields } from '../run/differs';
import { holdsExpression, listExpressions } from '../run/expressions';
import type { Run } from '../run/resolveRun';
import type { Problem } from '../shared/ending';
import { listed, quote } from '../shared/formatting';
import { visibleParts } from './placeholders';

// Values from outside the item: those of another item, and templates of the service that somebody wrote into data.

const string = String.raw`"[^"\\]*"|'[^'\\]*'`;
const step = String.raw`\s*(?:\??\.\s*[\p{L}_$][\p{L}\d_$]*(?![\p{L}\d_$]|\s*\()|(?:\?\.\s*)?\[\s*(?:${string}|\d+)\s*\])`;

/** One item's value that is picked for all: `$('Rows').first().json.c`, `$input.all()[0].json.c`. */
const pickedValue = new RegExp(
	[
		String.raw`(?:(?<node>\$\(\s*(?:${string})\s*\)|\$input)\s*\??\.\s*(?<pick>first|last|all)\s*\(`,
		String.raw`|\$items\((?:\s*(?<name>${string}))?)(?<rest>[\d\s,]*\))`,
		String.raw`(?:\s*(?:\?\.\s*)?\[\s*(?<at>\d+)\s*\])?(?<steps>(?:${step})+)`,
	].join(''),
	'gu',
);

/** Code that reads a value of its own item. */
const ownItem =
	/\$(?:json|itemIndex|position|node|data|thisItem)\b|\.\s*(?:item|itemMatching|pairedItem)\b/;

interface Picked {
	code: string;
	whose: string;
	/** Code that gives each item its own value. */
	own: string;
	/** Code that is true if the values of the items differ. */
	differs: string;
}

function pickedIn(code: string): Picked[] {
	return Array.from(code.matchAll(pickedValue)).flatMap(({ 0: written, groups = {} }) => {
		const { node, pick = 'all', name, rest, at, steps = '' } = groups;
		if ((pick === 'all') !== (at !== undefined)) return [];
		const list = node === undefined ? `$items(${name ?? ''}${rest}` : `${node}.all(${rest}`;
		const item = node ?? (name === undefined ? '$input' : `$(${name})`);
		const whose = pick === 'last' ? "the last item's" : `item ${at ?? 0}'s`;
		const differs = `${list}.some((item, at, all) => JSON.stringify(item${steps}) !== JSON.stringify(all[0]${steps}))`;
		return [{ code: written, whose, own: `${item}.item${steps}`, differs }];
	});
}

/**
 * Finds a value of one item that everybody gets although the items differ. It is refused where it decides the
 * recipient or what counts as sent before. Elsewhere, it gives a hint.
 */
export function oneItemForAll(
	{ operation, settings }: Pick<Run, 'operation' | 'settings'>,
	itemCount: number,
	n8n: Pick<N8n, 'raw' | 'evaluate'>,
): { refused?: Problem; hint?: string } {
	if (itemCount < 2) return {};
	const isDiffering = ({ differs }: Picked) => {
		try {
			return n8n.evaluate(differs, 0) === true;
		} catch {
			// Some code never runs, such as a branch that no item takes.
			return false;
		}
	};
	const pickedBy = (codes: string[], field: string, label: string) =>
		codes
			.flatMap(pickedIn)
			.filter(isDiffering)
			.map((picked) => ({ ...picked, field, label }));
	const labels = collectLabels(operation.form);
	const found = storedFields(operation, n8n).flatMap(([field, stored]) =>
		pickedBy(listExpressions(stored), field, labels[field] ?? field),
	);
	const keyCodes = settings.sendOnce ? listExpressions(n8n.raw('sendOnceKey')) : [];
	const readsOwn = keyCodes.some((code) => ownItem.test(code.replace(pickedValue, '')));
	const declared = declaredFields(operation);
	const refused =
		found.find(({ field }) => decidesRecipient(field, declared)) ??
		pickedBy(readsOwn ? [] : keyCodes, 'sendOnceKey', 'Send Once Key')[0];
	if (refused) {
		const { field, label, code, whose, own } = refused;
		const rule = `${label}: of several items that differ, everybody gets ${whose} value of {{ ${code} }}. For each item's own, write {{ ${own} }}`;
		return { refused: { field, rule } };
	}
	if (!found[0] || settings.skipTextCheck) return {};
	const values = found.map(
		({ code, whose, label }) => `${whose} value of {{ ${code} }} in ${label}`,
	);
	return {
		hint: `Of several items that differ, everybody gets ${listed(values)}. For each item's own, write {{ ${found[0].own} }}`,
	};
}

function decidesRecipient(field: string, declared: Fields): boolean {
	const { isId = false, reaches = 'nobody', form } = declared[field] ?? {};
	return field === 'consent' || isId || (reaches !== 'nobody' && form?.type !== 'json');
}

/** A template of the service for data of the recipient, such as `@{mobile}@`. Its last @ may begin another. */
const template = /@\{[^{}]*\}(?=@)/g;

/** Code that composes a text or an object, or calls a function with values. */
const composing = /[+`{,]|[\w\])]\s*\(\s*[^)\s]/;

/**
 * Returns a function that refuses a row whose values contain templates of the service. Otherwise the author of a
 * value could read the recipient's data, for instance through a link.
 */
export function serviceTemplates(operation: Operation, n8n: Pick<N8n, 'raw'>) {
	// Users and events are data.
	if (operation.isMessage !== true && operation.path !== undefined)
		return (checked: Checked) => checked;
	const declared = declaredFields(operation);
	const labels = collectLabels(operation.form);
	const searched = storedFields(operation, n8n).flatMap(([field, stored]) => {
		const parts = visibleParts(stored);
		const [only] = parts;
		const code = typeof only === 'object' ? only.code.replace(new RegExp(string, 'g'), "''") : '';
		const isOneValue = parts.length === 1 && code !== '' && !composing.test(code);
		// A whole text may come from a sheet, with its templates.
		if (!holdsExpression(stored) || (isOneValue && declared[field]?.isLink !== true)) return [];
		const fixed = parts.flatMap((part) => (typeof part === 'string' ? templatesIn(part) : []));
		const { type } =
			declared[field]?.form ?? operation.form.find(({ name }) => name === field) ?? {};
		return [{ field, fixed, isJson: type === 'json' }];
	});
	return (checked: Checked, { parameters }: Row): Checked => {
		if ('problems' in checked) return checked;
		const { additionalFields } = parameters;
		const values = { ...parameters, ...(isRecord(additionalFields) ? additionalFields : {}) };
		const problems = searched.flatMap(({ field, fixed, isJson }): Problem[] => {
			const value = values[field];
			const isText = typeof value === 'string';
			const written = isText && !isJson ? value : JSON.stringify(isText ? parseJson(value) : value);
			const found = templatesIn(written ?? '');
			if (found.length <= fixed.length) return [];
			const given = found.find((one) => !fixed.includes(one)) ?? found[0];
			const label = labels[field] ?? field;
			const rule = `${label} contains ${quote(`${given}@`)}, which the service replaces by the recipient's own data, and an expression gave it. Remove it where it comes from. If it is meant, write it in '${label}' itself, outside of {{ }}`;
			return [{ field, rule }];
		});
		return problems.length > 0 ? { problems } : checked;
	};
}

function templatesIn(text: string): string[] {
	return text.match(template) ?? [];
}
