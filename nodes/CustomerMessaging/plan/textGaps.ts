import type { N8n } from '../n8n/context';
import { declaredFields, type Checked, type Operation, type Row } from '../operations/operation';
import { isRecord } from '../fields/field';
import type { Run } from '../run/resolveRun';
import { gapFinder, withFallback } from '../run/textGaps';
import type { TextGap } from '../shared/delivery';
import type { Problem } from '../shared/result';

const collection = 'additionalFields';

/**
 * Returns a function that finds the empty placeholders in the texts and links of a row. Which fields can
 * have any is known from their expressions, so other fields take no time.
 */
export function textGaps(
	{ form, ...operation }: Operation,
	{ raw, isTool }: Pick<N8n, 'raw' | 'isTool'>,
) {
	const stored = raw(collection);
	const optional = isRecord(stored) ? stored : {};
	const finders = Object.entries(declaredFields(operation)).flatMap(([field, { gapExample }]) => {
		const parameter = form.find(({ name }) => name === field);
		const find = gapExample && gapFinder(parameter ? raw(field) : optional[field]);
		return find ? [{ field, find, parameter }] : [];
	});
	return ({ parameters, json }: Pick<Row, 'parameters' | 'json'>): TextGap[] => {
		const added = isRecord(parameters[collection]) ? parameters[collection] : {};
		return finders.flatMap(({ field, find, parameter }) => {
			if (parameter && !isShown(parameter, parameters)) return [];
			const text = parameter ? parameters[field] : added[field];
			return find(text, isTool ? undefined : json).map((code) => ({ field, code }));
		});
	};
}

/** Whether the choices of a row show a parameter. One that is hidden is not sent. */
function isShown({ displayOptions }: Operation['form'][number], parameters: Row['parameters']) {
	return Object.entries(displayOptions?.show ?? {}).every(([name, values]) =>
		values?.some((value) => value === parameters[name]),
	);
}

/** Refuses a row with gaps. With 'Skip Text Check', they are only kept for the preview. */
export function withGaps(
	checked: Checked,
	gaps: readonly TextGap[],
	{ operation, settings }: Pick<Run, 'operation' | 'settings'>,
): Checked {
	if (gaps.length === 0) return checked;
	if (!settings.fieldOptions.skipTextCheck) {
		const others = 'problems' in checked ? checked.problems : [];
		return { problems: [...gapProblems(gaps, operation), ...others] };
	}
	if ('problems' in checked) return checked;
	return { deliveries: checked.deliveries.map((delivery) => ({ ...delivery, gaps })) };
}

/** Says how to fill the gaps. */
function gapProblems(gaps: readonly TextGap[], operation: Operation): Problem[] {
	const fields = declaredFields(operation);
	return gaps.map(({ field, code }) => {
		const { form: { displayName = field } = {}, gapExample = '' } = fields[field] ?? {};
		return {
			field,
			message: `${displayName}: {{ ${code} }} is empty. Write {{ ${withFallback(code, gapExample)} }}, or turn on 'Skip Text Check'`,
		};
	});
}
