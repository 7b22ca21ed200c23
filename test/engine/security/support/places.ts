import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import type { Order } from '../../support/engine';
import * as order from '../../support/orders';

/** A workflow in which one input is bad and everything else is good. */
export interface Attempt extends Pick<Order, 'parameters' | 'rows'> {
	/** The fields of the credential that are wrong. */
	credential?: ICredentialDataDecryptedObject;
}

/** A place for a bad input, and the field that must be named when it is refused. */
export interface Place {
	name: string;
	field: string;
	attempt: (value: unknown) => Attempt;
}

/** Bad inputs for one place. */
export interface Group {
	place: Place;
	inputs: ReadonlyArray<readonly [what: string, value: unknown]>;
}

/** The bad inputs of one theme. */
export interface Theme {
	name: string;
	refused: readonly Group[];
}

const expression = '={{ $json.value }}';
const rowsOf = (value: unknown): IDataObject[] => [{ value: value as IDataObject['value'] }];

/** A parameter that an expression fills from the row. */
export function inField(parameters: INodeParameters, field: string): Place {
	return {
		name: `${nameOf(parameters)} ${field}`,
		field,
		attempt: (value) => ({
			parameters: { ...parameters, [field]: expression },
			rows: rowsOf(value),
		}),
	};
}

/** One of the optional fields, filled from the row. */
export function inAdditional(parameters: INodeParameters, field: string): Place {
	return {
		name: `${nameOf(parameters)} additionalFields.${field}`,
		field,
		attempt: (value) => ({
			parameters: { ...parameters, additionalFields: { [field]: expression } },
			rows: rowsOf(value),
		}),
	};
}

/** One of the node's options, filled from the row. */
export function inOption(parameters: INodeParameters, field: string): Place {
	return {
		name: `${nameOf(parameters)} options.${field}`,
		field,
		attempt: (value) => ({
			parameters: { ...parameters, options: { [field]: expression } },
			rows: rowsOf(value),
		}),
	};
}

/** A parameter as it is in the workflow's JSON, which anyone may edit. */
export function inWorkflow(parameters: INodeParameters, field: string): Place {
	return {
		name: `${nameOf(parameters)} ${field}, written into the workflow`,
		field,
		attempt: (value) => ({
			parameters: { ...parameters, [field]: value as INodeParameters[string] },
		}),
	};
}

export function inCredential(field: string, parameters: INodeParameters = order.pushSend): Place {
	return {
		name: `credential ${field}`,
		field,
		attempt: (value) => ({
			parameters:
				field === 'accessToken' ? { ...parameters, authentication: 'partnerToken' } : parameters,
			credential: { [field]: value as ICredentialDataDecryptedObject[string] },
		}),
	};
}

/** The fields behind one of the credential's switches. */
export function behindSwitch(field: string, by: 'customLimits' | 'customPaths'): Place {
	const { attempt, ...place } = inCredential(field, order.smsSend);
	return {
		...place,
		attempt: (value) => {
			const { credential, ...rest } = attempt(value);
			return { ...rest, credential: { ...credential, [by]: true } };
		},
	};
}

const mapped = { ...order.createUser, dataMode: 'autoMapInputData', userIdField: 'id' };

/** A column of the input that becomes an attribute by itself. */
export function inColumn(column: string): Place {
	return {
		name: `user create, column ${column}`,
		field: column,
		attempt: (value) => ({
			parameters: mapped,
			// As it comes from JSON: `__proto__` is a key like any other.
			rows: [
				Object.fromEntries([
					['id', 'C-1'],
					[column, value],
				]),
			] as IDataObject[],
		}),
	};
}

function inAttribute(part: 'name' | 'value'): Place {
	// An attribute of any type keeps that of the row.
	const attribute = { id: '1', name: 'city', value: 'x', type: 'any', [part]: expression };
	return {
		name: `user create, ${part} of an attribute`,
		field: 'customAttributes',
		attempt: (value) => ({
			parameters: { ...order.createUser, customAttributes: { assignments: [attribute] } },
			rows: rowsOf(value),
		}),
	};
}
export const inAttributeName = inAttribute('name');
export const inAttributeValue = inAttribute('value');

function nameOf({ resource, operation }: INodeParameters): string {
	return `${resource as string} ${operation as string}`;
}
