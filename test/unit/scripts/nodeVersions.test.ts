import { filesIn, textOf } from '../support/pages';

const RANGE = '>=20.19';
const IN_WORDS = 'Node.js 20.19 or newer';

it.each(['README.md', 'CONTRIBUTING.md', 'scripts/ensureInstalled.mjs'])(
	'%s names the Node versions that the commands accept.',
	(file) => {
		const named = [...textOf(file).matchAll(/Node\.js \d+\.\d+(?: to \d+| or newer)?/g)];
		expect(new Set(named.map(([words]) => words))).toEqual(new Set([IN_WORDS]));
	},
);

it('The commands refuse an older Node version.', () => {
	expect(textOf('scripts/ensureInstalled.mjs')).toContain(`ranges.suits('${RANGE}')`);
});

it('The package asks for the same oldest Node version, and leaves newer ones to n8n.', () => {
	const { engines } = JSON.parse(textOf('package.json')) as { engines: { node: string } };
	expect(engines.node).toBe(RANGE);
});

it('Dependabot watches every folder with packages of its own.', () => {
	const folders = filesIn()
		.filter((file) => file.endsWith('package.json'))
		.map((file) => `/${file.replace(/\/?package\.json$/, '')}`);
	const watched = [...textOf('.github/dependabot.yml').matchAll(/directory: (\S+)/g)];
	expect(watched.map(([, folder]) => folder)).toEqual(expect.arrayContaining(folders));
});
