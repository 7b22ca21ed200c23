import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import parser from '@typescript-eslint/parser';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';

const { community, credentials, nodes } = n8nNodesBase.configs;

/** n8n's two plugins with all their recommended rules: what its reviewers run. */
export default [
	{ ignores: ['**/node_modules/', 'dist/', 'hosts/', '.n8n-data/', '.cache/', 'examples/'] },
	{ languageOptions: { parser } },
	{
		files: ['package.json', 'nodes/**/*.ts', 'credentials/**/*.ts'],
		...n8nCommunityNodesPlugin.configs.recommended,
	},
	{
		files: ['package.json'],
		languageOptions: { parser, parserOptions: { extraFileExtensions: ['.json'] } },
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: community.rules,
	},
	{
		files: ['credentials/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...credentials.rules,
			// For credentials inside n8n's own repository, whose documentation is named by a key. Its
			// counterpart for community packages, cred-class-field-documentation-url-not-http-url, is on.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		rules: {
			...nodes.rules,
			// These two ask for the literal 'main', which the newer plugin's node-connection-type-literal
			// forbids in favour of NodeConnectionTypes.Main.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
		},
	},
];
