import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { INodeProperties } from 'n8n-workflow';

import { CustomerMessagingApi } from '../../credentials/CustomerMessagingApi.credentials';
import { CustomerMessagingPartnerApi } from '../../credentials/CustomerMessagingPartnerApi.credentials';
import { CustomerMessaging } from '../../nodes/CustomerMessaging/CustomerMessaging.node';
import { contrast, colorsOf } from './support/contrast';
import { filesIn, root, textOf } from './support/pages';

const pluginRules = 'node_modules/@n8n/eslint-plugin-community-nodes/docs/rules';
const nodeFolder = 'nodes/CustomerMessaging';
const { description } = new CustomerMessaging();
const credentials = [new CustomerMessagingApi(), new CustomerMessagingPartnerApi()];
const manifest = JSON.parse(textOf('package.json')) as {
	license: string;
	keywords: string[];
	repository: Record<string, string>;
};

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

const choicesOf = ({ options = [] }: INodeProperties) =>
	options.flatMap((option) => ('value' in option ? [option] : []));

/** The rules listed under a heading of the page on n8n's review. */
function listed(heading: string): string[] {
	const [, chapter = ''] = textOf('docs/contributing/review.md').split(`\n## ${heading}\n`);
	const [table = ''] = chapter.split('\n## ');
	return [...table.matchAll(/^\| `([a-z0-9-]+)` \| \S/gm)].map(([, rule = '']) => rule);
}

test('The page on the review names rules that the plugin has, and upcoming ones that it does not have yet.', () => {
	const rules = readdirSync(path.join(root, pluginRules)).map((name) => name.replace('.md', ''));
	const present = listed("Rules of n8n's plugin");
	expect(present.length).toBeGreaterThan(3);
	expect(present.filter((rule) => !rules.includes(rule))).toEqual([]);
	const upcoming = listed('Upcoming rules');
	expect(upcoming.length).toBeGreaterThan(3);
	expect(upcoming.filter((rule) => rules.includes(rule))).toEqual([]);
});

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

	test('The choices of a list have names and values of their own, without asterisks.', () => {
		const lists = properties.filter(({ type }) => type === 'options' || type === 'multiOptions');
		expect(lists.length).toBeGreaterThan(10);
		for (const list of lists) {
			const choices = choicesOf(list);
			expect(new Set(choices.map(({ name }) => name)).size).toBe(choices.length);
			expect(new Set(choices.map(({ value }) => value)).size).toBe(choices.length);
			expect(choices.filter(({ name }) => name.includes('*'))).toEqual([]);
		}
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

	test('Files are named after what they declare.', () => {
		expect(description.name).toBe('customerMessaging');
		const names = credentials.map((credential) => [credential.constructor.name, credential.name]);
		expect(names).toEqual([
			['CustomerMessagingApi', 'customerMessagingApi'],
			['CustomerMessagingPartnerApi', 'customerMessagingPartnerApi'],
		]);
		expect(filesIn('credentials')).toEqual(
			expect.arrayContaining(names.map(([name]) => `credentials/${name}.credentials.ts`)),
		);
	});

	test('The package has the keyword and the licence, and the repository for itself.', () => {
		expect(manifest.keywords).toContain('n8n-community-node-package');
		expect(manifest.license).toBe('MIT');
		expect(manifest.repository).not.toHaveProperty('directory');
	});
});
