import type { INodeProperties } from 'n8n-workflow';

import type { FormParameter } from './fields/field';
import { resources } from './operations';
import type { Operation, Resource } from './operations/operation';
import { guardFormOf } from './run/guards';
import { optionsForm } from './run/options';
import { runParameters } from './run/runParameters';
import { sendOnceForm } from './run/sendOnce';

/** All parameters of the node's form, in the order in which a user fills them in. */
export function formProperties(): INodeProperties[] {
	return [
		...runParameters.map(forEditor),
		...resources.flatMap((resource) =>
			resource.operations.flatMap((operation) => operationForm(resource, operation)),
		),
		forEditor(optionsForm),
	];
}

/** Removes what only this node uses from a parameter. */
function forEditor({ modelMayFill: _, ...property }: FormParameter): INodeProperties {
	if (property.type !== 'collection') return property;
	const options = (property.options as FormParameter[]).map(forEditor);
	return { ...property, options };
}

/** The subtitle on the canvas, as an n8n expression: `Push: Broadcast to segment 42`. */
export function subtitle(): string {
	const names = resources.flatMap(({ name, value, operations }) =>
		operations.map((operation) => [
			`${value} ${operation.value}`,
			`${name}: ${sentence(operation.name)}`,
		]),
	);
	// Raw, because an expression that cannot be evaluated on the canvas would hide the subtitle.
	const segment =
		'($parameter["operation"] === "broadcastSegment" && $rawParameter["segment_id"] > 0 ? " " + $rawParameter["segment_id"] : "")';
	return `={{ (${JSON.stringify(Object.fromEntries(names))})[$parameter["resource"] + " " + $parameter["operation"]] + ${segment} }}`;
}

/** Converts `Broadcast to Segment` to `Broadcast to segment`. */
function sentence(title: string): string {
	return title.replace(/ [A-Z]/g, (initial) => initial.toLowerCase());
}

function operationForm({ value }: Resource, operation: Operation): INodeProperties[] {
	const main = operation.form.filter(({ name }) => name !== 'additionalFields');
	const rest = operation.form.filter(({ name }) => name === 'additionalFields');
	const guards = guardFormOf(operation);
	return [...main, ...guards, ...sendOnceForm, ...rest].map(forEditor).map((property) => ({
		...property,
		displayOptions: {
			show: { ...property.displayOptions?.show, resource: [value], operation: [operation.value] },
		},
	}));
}
