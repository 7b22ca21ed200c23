import { asRecord } from '../fields/field';
import { parseJson } from '../fields/json';
import type { N8n } from '../n8n/context';
import { declaredFields, type Operation, type Row } from '../operations/operation';
import { holdsExpression, listExpressions, parseTemplate, storedFields } from '../run/expressions';
import { ifPossible } from '../run/parameters';
import type { Run } from '../run/resolveRun';
import type { Problem } from '../shared/ending';
import { quote } from '../shared/formatting';
import { onlyPart } from './placeholders';

// Values from outside the item: those of another item, and templates of the service that somebody wrote into data.

/** One item's value that is picked for all: `$('Rows').first().json.city`. No call follows, only keys. */
const pickedValue =
	/(\$\((?:"[^"\\]*"|'[^'\\]*')\)|\$input)\.(first|last)\(\)((?:\.[\p{L}_$][\p{L}\d_$]*(?![\p{L}\d_$(])|\["[^"\\]*"\]|\['[^'\\]*'\])+)/gu;

/** Refuses one item's value for all although the items differ, where it decides the recipient or what is a repeat. */
export function oneItemForAll(
	{ operation, settings }: Run,
	n8n: Pick<N8n, 'raw' | 'evaluate'>,
): Problem | undefined {
	const declared = declaredFields(operation);
	const stored = storedFields(operation.form, n8n).filter(([field]) => {
		const { isId, reaches = 'nobody', form } = declared[field] ?? {};
		return field === 'consent' || isId || (reaches !== 'nobody' && form?.type !== 'json');
	});
	const key = String(n8n.raw('sendOnceKey'));
	// A key that also reads its own item tells messages apart.
	if (settings.sendOnce && !/\$json\b|\.item\b/.test(key)) stored.push(['sendOnceKey', key]);
	for (const [field, raw, parameter] of stored)
		for (const [code, node, which, steps] of listExpressions(raw).join(';').matchAll(pickedValue)) {
			const differ = `${node}.all().some((item, at, all) => JSON.stringify(item${steps}) !== JSON.stringify(all[0]${steps}))`;
			if (ifPossible(() => n8n.evaluate(differ, 0)) !== true) continue;
			const label = parameter?.displayName ?? 'Send Once Key';
			const rule = `${label}: of several items that differ, everybody gets the ${which} item's value of {{ ${code} }}. For each item's own, write {{ ${node}.item${steps} }}`;
			return { field, rule };
		}
	return undefined;
}

/** A template of the service for data of the recipient, such as `@{mobile}@`. Its last @ may begin another. */
const template = /@\{[^{}]*\}(?=@)/g;

/** Code that composes a text or an object, or calls a function with values. */
const composing = /[+`{,]|[\w\])]\s*\(\s*[^)\s]/;

/**
 * Returns a function that finds templates of the service in the values of a row. Otherwise the author of a value
 * could read the recipient's data, for instance through a link.
 */
export function serviceTemplates(operation: Operation, n8n: Pick<N8n, 'raw'>) {
	// Users and events are data.
	if (operation.isMessage !== true && operation.path !== undefined) return () => [];
	const declared = declaredFields(operation);
	const searched = storedFields(operation.form, n8n).flatMap(([field, stored, parameter]) => {
		const only = onlyPart(stored);
		const code = typeof only === 'object' ? only.code.replace(/"[^"\\]*"|'[^'\\]*'/g, "''") : '';
		const isOneValue = code !== '' && !composing.test(code);
		// A whole text may come from a sheet, with its templates.
		if (!holdsExpression(stored) || (isOneValue && declared[field]?.isLink !== true)) return [];
		const fixed = (parseTemplate(stored) ?? []).flatMap((part) =>
			typeof part === 'string' ? templatesIn(part) : [],
		);
		const { displayName: label = field, type } = parameter ?? {};
		return [{ field, label, fixed, isJson: type === 'json' }];
	});
	return ({ parameters }: Row): Problem[] => {
		const values = { ...parameters, ...asRecord(parameters.additionalFields) };
		return searched.flatMap(({ field, label, fixed, isJson }) => {
			const value = values[field];
			const isText = typeof value === 'string';
			const written = isText && !isJson ? value : JSON.stringify(isText ? parseJson(value) : value);
			const found = templatesIn(written ?? '');
			if (found.length <= fixed.length) return [];
			const given = found.find((one) => !fixed.includes(one)) ?? found[0];
			const rule = `${label} contains ${quote(`${given}@`)}, which the service replaces by the recipient's own data, and an expression gave it. Remove it where it comes from. If it is meant, write it in '${label}' itself, outside of {{ }}`;
			return [{ field, rule }];
		});
	};
}

function templatesIn(text: string): string[] {
	return text.match(template) ?? [];
}
