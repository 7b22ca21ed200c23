import { publishedSources } from '../../engine/security/support/patterns';

const sources = publishedSources(['nodes']).map(({ source }) => source.text);

/** What the node says: the texts of its templates and strings that are sentences. */
const said = sources
	.flatMap((source) => [...source.matchAll(/`([^`]{30,})`|'([^'\n]{30,})'|"([^"\n]{30,})"/g)])
	.map(([, ...texts]) => texts.find(Boolean) ?? '')
	.filter((text) => / /.test(text));

test("No pattern of the node's code reads a sentence of the node's own", () => {
	const patterns = sources.flatMap((source) =>
		[...source.matchAll(/[(=,:]\s*\/((?![*/])(?:\\.|\[[^\]\n]*\]|[^/\\\n])+)\/[dgimsuy]*/g)].map(
			([, pattern = '']) => pattern,
		),
	);
	expect(patterns.length).toBeGreaterThan(100);
	// Two words in a row are of a language.
	const inWords = patterns.filter((pattern) => /[a-z]{3,} [a-z]{2,}/i.test(pattern));
	const own = inWords.filter((pattern) => {
		const [words = ''] = /[a-z]{3,} [a-z]{2,}(?: [a-z]{2,})*/i.exec(pattern) ?? [];
		return said.some((text) => text.includes(words));
	});
	// What JavaScript and proxies write.
	const ofOthers = /Invalid Date|CONNECT response/;
	expect(own.filter((pattern) => !ofOthers.test(pattern))).toEqual([]);
});
