import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

// The project's own configuration, for `npm run lint`. It checks more than n8n's, which is `eslint.config.mjs` because
// `n8n-node lint` accepts no other one under that name.
const { community, credentials, nodes } = n8nNodesBase.configs;

const typeScript = ['**/*.ts', '**/*.tsx'];

export default [
	{ ignores: ['**/node_modules/', 'dist/', '.n8n-data*/', '.cache/', 'examples/'] },
	{ languageOptions: { parser: tseslint.parser } },

	// Everything that is TypeScript, with the types known to each rule.
	...tseslint.configs.recommendedTypeChecked.map((config) => ({ ...config, files: typeScript })),
	{
		files: typeScript,
		languageOptions: {
			parserOptions: {
				project: ['tsconfig.json', 'sandbox/inbox/page/tsconfig.json'],
				tsconfigRootDir: import.meta.dirname,
			},
		},
		linterOptions: { reportUnusedDisableDirectives: 'error' },
		rules: {
			// An async function may have nothing to wait for: interfaces ask for promises, and `async` turns
			// whatever it throws into a rejection. The rules on promises catch what would be a mistake.
			'@typescript-eslint/require-await': 'off',
			// `const { secret: _, ...rest } = …` leaves a key out, and `_name` says that an interface asks for it.
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ argsIgnorePattern: '^_', varsIgnorePattern: '^_$', ignoreRestSiblings: true },
			],
		},
	},

	{
		files: ['nodes/**/*.ts'],
		rules: {
			// With more, what belongs together travels together, as one object.
			'max-params': ['error', 4],
		},
	},

	// n8n's two plugins with all their recommended rules: what its reviewers run.
	{
		files: ['package.json', 'nodes/**/*.ts', 'credentials/**/*.ts'],
		...n8nCommunityNodesPlugin.configs.recommended,
	},
	{
		files: ['package.json'],
		languageOptions: {
			parser: tseslint.parser,
			parserOptions: { extraFileExtensions: ['.json'] },
		},
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
