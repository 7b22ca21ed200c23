import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import type { Order } from '../../support/engine';
import * as order from '../../support/orders';

/** A workflow in which one input is bad and everything else is good. */
export interface Attempt extends Pick<Order, 'parameters' | 'rows'> {
	credential?: ICredentialDataDecryptedObject;
}

/** A place for bad inputs, and the field that must be named when they are refused. */
export interface Place {
	name: string;
	field: string;
	/** One workflow with a row for each value, or one for each value where all rows have the same. */
	attempts: (values: readonly unknown[]) => Attempt[];
}

export type Group = ReturnType<typeof refusedAt>;
type Classes = Readonly<Record<string, readonly unknown[]>>;
/** Bad inputs for one place, by what is wrong with them where there are several kinds. */
export const refusedAt = (place: Place, bad: Classes | readonly unknown[]) => {
	return { place, classes: Array.isArray(bad) ? { bad } : (bad as Classes) };
};

const expression = '={{ $json.value }}';
const nameOf = ({ resource, operation }: INodeParameters) =>
	`${resource as string} ${operation as string}`;

/** What an expression fills from the row. */
function fromRow(parameters: INodeParameters, name: string, field: string): Place {
	const rowOf = (value: unknown) => ({ value }) as IDataObject;
	return {
		...{ name: `${nameOf(parameters)} ${name}`, field },
		attempts: (values) => [{ parameters, rows: values.map(rowOf) }],
	};
}

export const inField = (parameters: INodeParameters, field: string) =>
	fromRow({ ...parameters, [field]: expression }, field, field);

export function inAdditional(parameters: INodeParameters, field: string): Place {
	const others = parameters.additionalFields as INodeParameters | undefined;
	const additionalFields = { ...others, [field]: expression };
	return fromRow({ ...parameters, additionalFields }, `additionalFields.${field}`, field);
}

function eachAlone(name: string, field: string, attemptOf: (value: unknown) => Attempt): Place {
	return { name, field, attempts: (values) => values.map(attemptOf) };
}

/** One of the node's options, which all rows of a run share. */
export const inOption = (parameters: INodeParameters, field: string) =>
	eachAlone(`${nameOf(parameters)} options.${field}`, field, (value) => ({
		parameters: { ...parameters, options: { [field]: value as string } },
	}));

/** A parameter as it is in the workflow's JSON, which anyone may edit. */
export const inWorkflow = (parameters: INodeParameters, name: string, field = name) =>
	eachAlone(`${nameOf(parameters)} ${name}, written into the workflow`, field, (value) => ({
		parameters: { ...parameters, [name]: value as string },
	}));

export const inCredential = (field: string, others: ICredentialDataDecryptedObject = {}) =>
	eachAlone(`credential ${field}`, field, (value) => ({
		parameters: {
			...order.pushSend,
			authentication: field === 'accessToken' ? 'partnerToken' : 'apiKey',
		},
		credential: { ...others, [field]: value as string },
	}));

/** A column of the input that becomes an attribute by itself. */
export function inColumn(column: string): Place {
	const parameters = { ...order.createUser, dataMode: 'autoMapInputData', userIdField: 'id' };
	// As it comes from JSON: `__proto__` is a key like any other.
	const rowOf = (value: unknown, row: number): IDataObject =>
		Object.defineProperty({ id: `C-${row}` }, column, { value, enumerable: true });
	return {
		name: `user create, column ${column}`,
		field: column,
		attempts: (values) => [{ parameters, rows: values.map(rowOf) }],
	};
}

function inAttribute(part: 'name' | 'value'): Place {
	// An attribute of any type keeps that of the row.
	const attribute = { id: '1', name: 'city', value: 'x', type: 'any', [part]: expression };
	const assignments = [attribute, { id: '2', name: 'tier', value: 'gold', type: 'string' }];
	const parameters = { ...order.createUser, customAttributes: { assignments } };
	return fromRow(parameters, `${part} of an attribute`, 'customAttributes');
}
export const inAttributeName = inAttribute('name');
export const inAttributeValue = inAttribute('value');
