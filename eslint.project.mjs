import typeScript from '@typescript-eslint/parser';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import regexp from 'eslint-plugin-regexp';

// n8n's two plugins with all their recommended rules, for `npm run lint`: what its reviewers run. `eslint.config.mjs` is
// for `n8n-node lint`, which accepts nothing else under that name. The project's own rules are in `.oxlintrc.json`, but
// for those of regular expressions.
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
	{
		// The time that a regular expression takes is in proportion to the length of the text.
		files: ['**/*.{ts,tsx}'],
		plugins: { regexp },
		rules: {
			'regexp/no-dupe-disjunctions': [
				'error',
				{ report: 'trivial', reportExponentialBacktracking: 'potential' },
			],
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential' }],
		},
	},
	{
		files: [
			// `placeholder` matches wherever `{{` stands, and `operandParts` reads only what `withFallbacks` has matched.
			'nodes/CustomerMessaging/run/expressions.ts',
			// `escapes` matches wherever two backslashes stand.
			'nodes/CustomerMessaging/shared/mask.ts',
		],
		rules: { 'regexp/no-super-linear-move': 'off' },
	},
];
