import type { INodeProperties } from 'n8n-workflow';

import type { FormParameter } from './fields/field';
import { resources } from './operations';
import type { Operation, Resource } from './operations/operation';
import { guardForm, optionsForm } from './run/options';
import { runParameters } from './run/runParameters';

/** Everything below the credential in the node's form, in the order a person thinks. */
export function formProperties(): INodeProperties[] {
	return [
		...runParameters.map(forEditor),
		...resources.flatMap((resource) =>
			resource.operations.flatMap((operation) => operationForm(resource, operation)),
		),
		forEditor(optionsForm),
	];
}

/** A parameter as n8n knows it. */
function forEditor({ modelMayFill: _, ...property }: FormParameter): INodeProperties {
	if (property.type !== 'collection') return property;
	const options = (property.options as FormParameter[]).map(forEditor);
	return { ...property, options };
}

/** What the node says of itself on the canvas, such as `Push: Broadcast to segment 42`. */
export function subtitle(): string {
	const names = resources.flatMap(({ name, value, operations }) =>
		operations.map((operation) => [`${value} ${operation.value}`, `${name}: ${sentence(operation.name)}`]),
	);
	// Raw, as an expression that cannot be read on the canvas would leave no subtitle at all.
	const segment =
		'($parameter["operation"] === "broadcastSegment" && $rawParameter["segment_id"] > 0 ? " " + $rawParameter["segment_id"] : "")';
	return `={{ (${JSON.stringify(Object.fromEntries(names))})[$parameter["resource"] + " " + $parameter["operation"]] + ${segment} }}`;
}

/** `Broadcast to segment` of `Broadcast to Segment`. */
function sentence(title: string): string {
	return title.replace(/ [A-Z]/g, (initial) => initial.toLowerCase());
}

function operationForm({ value }: Resource, operation: Operation): INodeProperties[] {
	const main = operation.form.filter(({ name }) => name !== 'additionalFields');
	const rest = operation.form.filter(({ name }) => name === 'additionalFields');
	const guards = operation.isBroadcast ? guardForm : [];
	return [...main, ...guards, ...rest].map(forEditor).map((property) => ({
		...property,
		displayOptions: {
			show: { ...property.displayOptions?.show, resource: [value], operation: [operation.value] },
		},
	}));
}
