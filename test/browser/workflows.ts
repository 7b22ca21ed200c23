import type { NodeJson } from '../../scripts/n8n/client';
import { eachRow, editFields, manualTrigger, workflow } from '../../scripts/n8n/workflows';
import type { Stage } from './stage';

export const start = 'When clicking ‘Execute workflow’';

export const message = {
	title: 'Your order is on its way',
	message: 'It arrives tomorrow between 9 and 12',
	url: 'https://shop.example.com/orders/1001',
};

export const sale = {
	title: 'Spring sale',
	message: '20% off everything until Sunday',
	url: 'https://shop.example.com/sale',
};

/** A node that gives one item with this JSON. */
export const giving = (json: object): NodeJson =>
	editFields('CRM', { mode: 'raw', jsonOutput: JSON.stringify(json), options: {} });

/** Two nodes that give these rows, one item each. */
export const rowsOf = (rows: object[]): NodeJson[] => [
	giving({ body: { rows } }),
	{ ...eachRow, name: 'Rows' },
];

/** A workflow started by hand that goes through these nodes one after another. */
export const inLine = ({ credentialIds }: Stage, name: string, ...nodes: NodeJson[]) =>
	workflow(name, [manualTrigger(start), ...nodes], credentialIds);
