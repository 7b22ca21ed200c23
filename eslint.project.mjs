import typeScript from '@typescript-eslint/parser';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';

// n8n's two plugins with all their recommended rules, for `npm run lint`: what its reviewers run. `eslint.config.mjs` is
// for `n8n-node lint`, which accepts nothing else under that name. The project's own rules are in `.oxlintrc.json`.
const { community, credentials, nodes } = n8nNodesBase.configs;

export default [
	{ languageOptions: { parser: typeScript } },
	{
		files: ['package.json', 'nodes/**/*.ts', 'credentials/**/*.ts'],
		...n8nCommunityNodesPlugin.configs.recommended,
	},
	{
		files: ['package.json'],
		languageOptions: { parserOptions: { extraFileExtensions: ['.json'] } },
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
