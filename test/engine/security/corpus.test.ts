import { inspect } from 'node:util';

import * as badInputs from './support/badInputs';
import { leaksIn, secrets, useBench } from './support/bench';
import { inCredential } from './support/places';

// Texts of millions of characters.
jest.setTimeout(60_000);

const bench = useBench();
const onError = 'continueErrorOutput';
const corpus = Object.entries(badInputs);

/** What every object, list and function inherits, to which nothing may be added. */
const inherited = () =>
	[Object.prototype, Array.prototype, Function.prototype, String.prototype].map(Reflect.ownKeys);
const inheritedBefore = inherited();

/** Words with which a message says what to do. */
const advice =
	/\b(Add|Change|Check|Choose|Copy|Select|Correct|Cut|Enter|Fill|Give|Leave|Make|Pass|Put|Remove|Rename|Set|Shorten|Split|Take|Use|Write|add|must|use)\b/;

interface Failure {
	error?: string;
	details?: { outcome: string; problems?: Array<Record<'field' | 'label' | 'message', string>> };
}

const problemsOf = ({ details }: Failure = {}) => details?.problems ?? [];

/** How a value is refused, in few words. */
function refusalIn(failure?: Failure) {
	const { error = '', details } = failure ?? {};
	// Long enough to be a sentence, and never a megabyte on its way to n8n's database.
	const isClear = (message: string) =>
		advice.test(message) && /^.{21,999}$/s.test(message) && error.includes(message);
	return {
		outcome: details?.outcome,
		fields: [...new Set(problemsOf(failure).map(({ field }) => field))],
		unclear: problemsOf(failure).filter(({ message }) => !isClear(message)),
		isShort: error.length < 5_000,
	};
}

// Otherwise everything below would pass without checking anything.
test('The bench sees what a good input sends, and a request to another host, which stays on this machine', async () => {
	const [good = { parameters: {} }] = inCredential('apiKey').attempts([secrets.apiKey]);
	const { output } = await bench.run(good);
	expect(output[0]?.json.outcome).toBe('accepted');
	expect(bench.server.received).toHaveLength(1);
	expect(bench.connections).toEqual([bench.server.url.replace('http://', '')]);
	expect(leaksIn(bench.server.received)).toEqual([secrets.apiKey]);

	const [attempt = { parameters: {} }] = inCredential('pushUrl').attempts(['https://a.example']);
	await bench.run({ ...attempt, onError });
	expect(bench.connections.at(-1)).toBe('a.example:443');
	expect(bench.server.received).toHaveLength(1);
});

describe.each(corpus)('Of %s that are bad,', (_, groups) => {
	test.each(groups)('each is refused with what to do: $place.name', async ({ place, classes }) => {
		const { field, attempts } = place;
		const inputs = Object.entries(classes).flatMap(([what, values]) =>
			values.map((value) => ({ value, what: `${what}: ${inspect(value).slice(0, 80)}` })),
		);
		const tried = attempts(inputs.map(({ value }) => value));
		const seen: Failure[] = [];
		for (const attempt of tried) {
			const passing = await bench.run({ ...attempt, onError });
			expect(passing.output).toEqual([]);
			seen.push(...passing.failed.map(({ json }) => json as Failure));
			// Without the input that n8n returns with it.
			const told = passing.failed.map(({ json: { error, details } }) => [error, details]);
			expect(leaksIn(told, passing.hints, bench.logged)).toEqual([]);
		}

		// Where values share no run, what stops it is the same for each.
		const [one = { parameters: {} }] = tried;
		const { output, error, hints } = await bench.run(one);
		expect(output).toEqual([]);
		expect(error?.message).toMatch(/^Nothing was sent: /);
		const shown = `${error?.message} ${error?.description}`;
		for (const { label, message } of seen.slice(0, one.rows?.length ?? 1).flatMap(problemsOf))
			expect([label, message].some((part) => shown.includes(part))).toBe(true);
		expect(leaksIn(error, hints, bench.logged)).toEqual([]);

		const right = { outcome: 'invalid', fields: [field], unclear: [], isShort: true };
		expect(inputs.map(({ what }, row) => ({ what, ...refusalIn(seen[row]) }))).toEqual(
			inputs.map(({ what }) => ({ what, ...right })),
		);
		expect(seen).toHaveLength(inputs.length);
		expect(bench.connections).toEqual([]);
		expect(bench.server.received).toEqual([]);
		expect(inherited()).toEqual(inheritedBefore);
	});
});
