import { everythingIn } from '../support/everything';
import * as order from '../support/orders';
import { useBench } from './support/attempting';
import { leaksIn } from './support/canaries';
import { secrets } from './support/secrets';
import { corpus, inputsOf } from './corpus';
import { inColumn, inCredential, inField, type Place } from './support/places';

// Texts of a million characters.
jest.setTimeout(60_000);

const bench = useBench();

/** What every object, list and function inherits, to which nothing may be added. */
const roots = [Object.prototype, Array.prototype, Function.prototype, String.prototype];
const rootKeys = roots.map((root) => Reflect.ownKeys(root));

/** Words with which a message says what to do. */
const advice =
	/\b(Add|Change|Check|Choose|Copy|Select|Correct|Cut|Enter|Fill|Give|Leave|Make|Pass|Put|Remove|Rename|Set|Shorten|Split|Take|Use|Write|add|must|use)\b/;

interface Problem {
	field: string;
	label: string;
	message: string;
}

async function isRefused({ field, attempt }: Place, value: unknown): Promise<void> {
	const passing = await bench.run(attempt(value), 'continueErrorOutput');
	const stopping = await bench.run(attempt(value));

	const { details, error } = passing.failed[0]?.json as {
		error: string;
		details: { outcome: string; problems: Problem[] };
	};
	expect(details.outcome).toBe('invalid');
	expect(new Set(details.problems.map((problem) => problem.field))).toEqual(new Set([field]));
	for (const { message } of details.problems) {
		expect(message).toMatch(advice);
		// Long enough to be a sentence, and never a megabyte on its way to n8n's database.
		expect(message.length).toBeGreaterThan(20);
		expect(message.length).toBeLessThan(1000);
		expect(error).toContain(message);
	}
	expect(error.length).toBeLessThan(5000);
	expect(passing.output).toEqual([]);

	expect(stopping.output).toEqual([]);
	expect(stopping.error?.message).toMatch(/^Nothing was sent: /);
	const [{ label, message } = { label: field, message: '' }] = details.problems;
	const shown = `${stopping.error?.message} ${stopping.error?.description}`;
	expect(shown.includes(label) || shown.includes(message)).toBe(true);

	expect(bench.connections).toEqual([]);
	expect(bench.server.received).toEqual([]);
	expect(roots.map((root) => Reflect.ownKeys(root))).toEqual(rootKeys);
	expect(leaksIn(told(passing), told(stopping), bench.logged)).toEqual([]);
}

/** What the node says, without the input that n8n returns with it. */
function told({ failed, output, error, hints }: Awaited<ReturnType<typeof bench.run>>): unknown[] {
	return [failed.map(({ json }) => [json.error, json.details]), output, error, hints];
}

describe('The bench', () => {
	// Otherwise everything below would pass without checking anything.
	it.each([
		['an expression', inField(order.pushSend, 'title').attempt('Sale')],
		['a credential', inCredential('apiKey').attempt(secrets.apiKey)],
		['a column', inColumn('city').attempt('Pune')],
	])('sees what a good input sends, and where to: %s', async (_, attempt) => {
		const { output } = await bench.run(attempt);
		expect(output[0]?.json.outcome).toBe('accepted');
		expect(bench.server.received).toHaveLength(1);
		expect(bench.connections).toEqual([bench.server.url.replace('http://', '')]);
		expect(leaksIn(bench.server.received)).not.toEqual([]);
	});

	it('notices a request to another host and does not let it leave this machine', async () => {
		await bench.run(
			inCredential('pushUrl').attempt('https://push.example.com'),
			'continueErrorOutput',
		);
		expect(bench.connections).toEqual(['push.example.com:443']);
		expect(bench.server.received).toEqual([]);
	});
});

describe.each(corpus.map((theme) => [theme.name, theme] as const))('%s', (_, { refused }) => {
	it.each(inputsOf(refused).map((input) => ({ ...input, at: input.place.name })))(
		'$at: $what',
		async ({ place, value }) => await isRefused(place, value),
	);
});

describe('The corpus', () => {
	const refused = corpus.flatMap((theme) => inputsOf(theme.refused));

	it('holds no input twice', () => {
		const written = refused.map(({ place, value }) => `${place.name}: ${everythingIn(value)}`);
		expect(new Set(written).size).toBe(refused.length);
		const names = refused.map(({ place, what }) => `${place.name}: ${what}`);
		expect(names.filter((one, index) => names.indexOf(one) !== index)).toEqual([]);
	});
});
