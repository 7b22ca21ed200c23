/** From top to bottom: a room of the node imports only from rooms below it. */
const rooms = [
	'report',
	'plan',
	'run',
	'operations',
	'ask',
	'schedule',
	'fields',
	'n8n',
	'engine',
	'shared',
];
const node = '^nodes/CustomerMessaging/';
const product = '^(nodes|credentials)/';
const tools = '^(sandbox|scripts|bench|simulation)/';

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
	forbidden: [
		...rooms.map((room, index) =>
			forbid(
				`${room}-imports-upward`,
				'A room imports only from rooms below it, and never from the node itself.',
				{ path: `${node}${room}/` },
				{ path: [`${node}[^/]+$`, ...rooms.slice(0, index).map((above) => `${node}${above}/`)] },
			),
		),
		forbid(
			'engine-imports-others',
			'Of the node, the engine knows only what is shared; of n8n, the calls of its store.',
			{ path: `${node}engine/` },
			{ path: [`${node}(?!(engine|shared)/)`, '^credentials/'] },
		),
		forbid(
			'engine-by-its-face',
			'From outside, the engine is only its index.',
			{ path: product, pathNot: `${node}engine/` },
			{ path: `${node}engine/(?!index\\.ts$)` },
		),
		forbid(
			'unknown-room',
			'Every folder of the node has its place among the rooms.',
			{ path: '^nodes/' },
			{ path: `${node}(?!(${rooms.join('|')})/)[^/]+/` },
		),
		forbid(
			'cycle',
			'No two files import each other, directly or through others.',
			{},
			{ circular: true },
		),
		forbid(
			'product-imports-tools',
			'The product imports nothing from the sandbox, the scripts, the benches and the tests.',
			{ path: product },
			{ path: [tools, '^test/'] },
		),
		forbid('tools-import-tests', 'Only tests import tests.', { path: tools }, { path: '^test/' }),
	],
	options: {
		tsPreCompilationDeps: true,
		doNotFollow: { path: 'node_modules' },
		exclude: '^scripts/n8n/hosts/',
	},
};
