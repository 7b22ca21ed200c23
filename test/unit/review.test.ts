import type { INodeProperties } from 'n8n-workflow';

import { CustomerMessagingApi } from '../../credentials/CustomerMessagingApi.credentials';
import { CustomerMessagingPartnerApi } from '../../credentials/CustomerMessagingPartnerApi.credentials';
import { CustomerMessaging } from '../../nodes/CustomerMessaging/CustomerMessaging.node';
import { contrast, colorsOf } from './support/contrast';
import { textOf } from './support/pages';

const nodeFolder = 'nodes/CustomerMessaging';
const { description } = new CustomerMessaging();
const credentials = [new CustomerMessagingApi(), new CustomerMessagingPartnerApi()];

/** All properties of a form, those within collections and groups too. */
function allOf(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => {
		const nested = (property.options ?? []).flatMap((option) => {
			if ('values' in option) return option.values;
			return 'type' in option ? [option] : [];
		});
		return [property, ...allOf(nested)];
	});
}
const properties = [description, ...credentials].flatMap((form) => allOf(form.properties));

describe('What upcoming rules ask for', () => {
	test('The categories are ones that n8n lists, and there are no subcategories.', () => {
		const codex = JSON.parse(textOf(`${nodeFolder}/CustomerMessaging.node.json`)) as object;
		expect(codex).toMatchObject({ categories: ['Communication', 'Marketing & Content'] });
		expect(codex).not.toHaveProperty('subcategories');
		expect(description).not.toHaveProperty('codex');
	});

	test('execute() itself calls this.continueOnFail().', () => {
		const [, execute] = textOf(`${nodeFolder}/CustomerMessaging.node.ts`).split('async execute(');
		expect(execute).toContain('this.continueOnFail()');
	});

	test('Hints have at most 120 characters, and every property has a default.', () => {
		expect(properties.length).toBeGreaterThan(100);
		expect(properties.filter(({ hint = '' }) => hint.length > 120)).toEqual([]);
		expect(properties.filter((property) => !('default' in property))).toEqual([]);
	});

	test('No optional field at the top level takes any JSON.', () => {
		const json = description.properties.filter(({ type }) => type === 'json');
		expect(json.map(({ name, required }) => [name, required])).toEqual([['body', true]]);
	});

	test.each([
		['customerMessaging.svg', '#ffffff'],
		['customerMessaging.dark.svg', '#2b2b2b'],
	])('%s is clear on its background', (icon, background) => {
		const ratios = colorsOf(textOf(`${nodeFolder}/${icon}`)).map((color) =>
			contrast(color, background),
		);
		expect(Math.max(...ratios)).toBeGreaterThan(3);
	});
});
