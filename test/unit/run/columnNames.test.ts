import type { FormParameter } from '../../../nodes/CustomerMessaging/fields/field';
import { draggedColumns } from '../../../nodes/CustomerMessaging/run/columnNames';

const parameter = (name: string, requiresDataPath?: 'single' | 'multiple'): FormParameter => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
	reaches: 'recipient',
	modelMayFill: false,
	requiresDataPath,
});
const form = [
	parameter('userIdField', 'single'),
	parameter('ignoreFields', 'multiple'),
	parameter('userID'),
];

const draggedOnto = (raw: unknown) => draggedColumns(form, () => raw);

test.each([
	['={{ $json.customerId }}', 'customerId'],
	['={{ $json["customer ID"] }}', 'customer ID'],
	['= {{ $json.customerId }}\n', 'customerId'],
])('%s, as n8n writes a dragged column, means its name', (raw, column) => {
	expect(draggedOnto(raw)).toEqual({ userIdField: column });
});

test.each([
	['a name', 'customerId'],
	['nothing', undefined],
	['a text around a column', '=id {{ $json.customerId }}'],
	['two columns', '={{ $json.first }}{{ $json.last }}'],
	['a part of a column', '={{ $json.customer.id }}'],
	['a fallback', '={{ $json.customerId ?? "id" }}'],
	['a fixed name in an expression', '={{ "customerId" }}'],
	['what only n8n can evaluate', '={{ $json.customerId.trim() }}'],
	['an expression without a placeholder', '=customerId'],
	['an empty expression', '='],
])('A field that holds %s holds no dragged column', (_, raw) => {
	expect(draggedOnto(raw)).toStrictEqual({});
});
