/**
 * Prints a random sample of the mutations of some files, for `npm run test:mutation`:
 * `npm run test:mutation -- $(node test/mutation/sample.mjs 7 100 $(git ls-files nodes/CustomerMessaging/plan))`.
 * The same seed and the same files give the same sample.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { commonTokens } from '@stryker-mutator/api/plugin';
import { createInstrumenter } from '@stryker-mutator/instrumenter';
import { createInjector } from 'typed-inject';

const [seed, count, ...names] = process.argv.slice(2);
const silent = { debug() {}, info() {}, isDebugEnabled: () => false };
const instrumenter = createInjector()
	.provideValue(commonTokens.logger, silent)
	.injectFunction(createInstrumenter);
const { mutants } = await instrumenter.instrument(
	names
		.filter((name) => name.endsWith('.ts'))
		.map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') })),
	{ plugins: null, ignorers: [], excludedMutations: [] },
);

const isBefore = (one, other) =>
	one.line < other.line || (one.line === other.line && one.column <= other.column);
const isWithin = (inner, outer) =>
	inner.fileName === outer.fileName &&
	isBefore(outer.location.start, inner.location.start) &&
	isBefore(inner.location.end, outer.location.end);
// Stryker chooses by place, and makes all mutations in it: the large ones, such as an empty function, hold too many.
const small = mutants.filter(
	(mutant) => mutants.filter((other) => isWithin(other, mutant)).length <= 3,
);

const places = new Set(
	small.map(({ fileName, location: { start, end } }) =>
		[fileName, start.line + 1, `${start.column}-${end.line + 1}`, end.column].join(':'),
	),
);
const orderOf = (place) => createHash('sha256').update(`${seed} ${place}`).digest('hex');
const chosen = [...places].sort((one, other) => orderOf(one).localeCompare(orderOf(other)));
console.log(chosen.slice(0, Number(count)).join(','));
