import { isEmpty } from '../fields/field';
import type { N8n } from '../n8n/context';
import type { Run } from '../run/resolveRun';
import { listed } from '../shared/formatting';
import type { Problem } from '../shared/result';
import type { InputColumns } from './missingColumns';
import { assignmentsIn, plainPlaceholder } from './textGaps';

/** Refuses users of whom only the ID would be sent, because the columns that are mapped are called otherwise. */
export function unmappedFields(
	{ operation, settings }: Pick<Run, 'operation' | 'settings'>,
	columns: InputColumns,
	{ raw, isTool }: Pick<N8n, 'raw' | 'isTool'>,
): Problem | undefined {
	const isMapped = operation.overwrites === true && raw('dataMode') !== 'autoMapInputData';
	if (!isMapped || settings.sendEmptyValues || isTool) return undefined;
	const attributes = assignmentsIn(raw('customAttributes')).map(({ value }) => value);
	const fields = [...Object.keys(operation.fields.optional).map(raw), ...attributes];
	const filled = fields.filter((value) => !isEmpty(value));
	const codes = filled.map(plainPlaceholder).filter((code) => code !== undefined);
	if (codes.length < filled.length || codes.some((code) => columns.hasValue(code)))
		return undefined;
	const missing = codes.filter((code) => columns.missingIn(code).length > 0);
	// A row that holds nothing else is complete.
	if (!columns.hasOthers([raw('userID'), ...codes].map(String), missing)) return undefined;
	const nearest = missing.map((code) => columns.nearest(code)).filter((code) => code !== undefined);
	const written = (list: readonly string[]) => listed(list.map((code) => `{{ ${code} }}`));
	const advice =
		nearest.length > 0 ? `Did you mean ${written(nearest)}?` : 'Correct the expressions';
	return {
		field: 'dataMode',
		message: `No item has a value in the columns that are mapped: ${written(codes)}. ${columns.list}. ${advice}`,
	};
}
