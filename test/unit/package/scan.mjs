// What n8n's scanner of community packages looks at, with the same rules and no way to switch one off in a comment:
// `scan.mjs <folder> <glob> …` writes what it finds as JSON.
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import parser from '@typescript-eslint/parser';
import { ESLint } from 'eslint';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';

const [cwd, ...globs] = process.argv.slice(2);
const { community, credentials, nodes } = n8nNodesBase.configs;

const eslint = new ESLint({
	cwd,
	allowInlineConfig: false,
	overrideConfigFile: true,
	errorOnUnmatchedPattern: false,
	overrideConfig: [
		{ files: ['**/*.{js,ts,json}'], ...n8nCommunityNodesPlugin.configs.recommended },
		{
			files: ['**/*.{js,ts,json}'],
			plugins: { 'n8n-nodes-base': n8nNodesBase },
			rules: { 'no-console': 'error' },
		},
		{
			files: ['**/*.{ts,json}'],
			languageOptions: { parser, parserOptions: { extraFileExtensions: ['.json'] } },
		},
		{ files: ['package.json'], rules: community.rules },
		{
			files: ['**/credentials/**/*.ts'],
			rules: {
				...credentials.rules,
				// The scanner leaves these out: not meant for community packages, or better told by its own plugin.
				'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
				'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
			},
		},
		{
			files: ['**/nodes/**/*.ts'],
			rules: {
				...nodes.rules,
				'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
				'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
				'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
			},
		},
	],
});

const results = await eslint.lintFiles(globs);
const findings = results.flatMap(({ filePath, messages }) =>
	messages.map(({ ruleId, line, message }) => `${filePath}:${line} ${ruleId}: ${message}`),
);
process.stdout.write(JSON.stringify({ files: results.length, findings }));
