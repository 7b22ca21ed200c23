import { createContext, Script } from 'node:vm';
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';

import { sized } from '../../../propertyRuns';

type Pattern = Pick<RegExp, 'source' | 'flags'>;

/** One of each kind, where a pattern names no character. */
const usual = [...'a0 \n_.é\u00a0\0'];

/** None, because the last repetition may be what fails; and what few expressions match. */
const ends = sized(['', '\n\0'], ['', '!', '\n\0']);

/** Texts made of what an expression itself looks for: a beginning, a piece that is repeated, and an end. */
function attacksOn({ source, flags }: Pattern) {
	const unicode = flags.includes('u');
	const pattern = new RegExpParser().parsePattern(source, undefined, undefined, { unicode });
	const characters = new Set<string>();
	const quantifiers: AST.Quantifier[] = [];
	const alternatives: AST.Alternative[] = [];
	visitRegExpAST(pattern, {
		onCharacterEnter: (node) => void characters.add(textOf(node)),
		onQuantifierEnter: (node) => void quantifiers.push(node),
		onAlternativeEnter: (node) => void alternatives.push(node),
	});
	for (const character of usual) characters.add(character);
	// Without a long repetition, each place of a text takes the same time.
	if (quantifiers.every(({ max }) => max < 100)) return [];

	/** The shortest text that a node matches, or one with each optional part in it once. */
	function sample(node: AST.Element, least: number): string {
		if (node.type === 'Assertion') return '';
		if (node.type === 'Character') return textOf(node);
		if (node.type === 'Backreference') return samples([node.resolved].flat(), least);
		if (node.type === 'Group' || node.type === 'CapturingGroup')
			return samples(node.alternatives[0]?.elements ?? [], least);
		if (node.type === 'Quantifier')
			return sample(node.element, least).repeat(Math.max(node.min, Math.min(least, node.max)));
		const one = new RegExp(`^${node.raw}$`, flags.replace(/[gy]/g, ''));
		return [...characters].find((character) => one.test(character)) ?? '';
	}
	const samples = (nodes: readonly AST.Element[], least: number) =>
		nodes.map((node) => sample(node, least)).join('');

	function before(node: AST.Node, least: number): string {
		const { parent } = node;
		if (parent === null) return '';
		const siblings = parent.type === 'Alternative' ? parent.elements : [];
		const earlier = siblings.slice(0, Math.max(0, siblings.indexOf(node as AST.Element)));
		return before(parent, least) + samples(earlier, least);
	}

	const beginnings = new Set(['']);
	const pieces = new Set(characters);
	for (const least of [0, 1]) {
		for (const { elements } of alternatives) pieces.add(samples(elements, least));
		for (const quantifier of quantifiers) {
			const beginning = before(quantifier, least);
			beginnings.add(beginning);
			pieces.add(beginning);
			pieces.add(sample(quantifier, 1));
			pieces.add(beginning + sample(quantifier, 1));
		}
	}
	// Too many for `npm test`.
	for (const one of sized([], [...characters]))
		for (const other of characters) pieces.add(one + other);
	pieces.delete('');
	const attacks = [...beginnings].flatMap((beginning) =>
		[...pieces].flatMap((piece) => ends.map((end) => [beginning, piece, end])),
	);
	// A long expression has thousands. They are spread, because neighbours are alike.
	const step = Math.ceil(attacks.length / sized(300, Infinity)) || 1;
	return attacks.filter((_, index) => index % step === 0);
}

const textOf = ({ value }: AST.Character) => String.fromCodePoint(value);

/** So many texts are tried within one timeout, although a tenth of a second is enough. Some expressions have millions. */
const group = 2_000;
/**
 * For the many repetitions, linear time is at most some 10 ms of processor time, and quadratic time at least
 * 200 ms.
 */
const script = new Script(`
	var [few, many, longest] = [3_000, 20_000, 100_000];
	function timeFor(count) {
		const [beginning, piece, end] = attack;
		const text = beginning + piece.repeat(count) + end;
		pattern.lastIndex = 0;
		const startedMs = usedMs();
		text.replace(pattern, '');
		return usedMs() - startedMs;
	}
	function isSlow() {
		// A short text is enough to clear most.
		if (timeFor(few) < 1) return false;
		const count = Math.min(many, Math.ceil(longest / attack[1].length));
		return timeFor(count) >= 80 && timeFor(count) >= 80;
	}
	for (attack of attacks) if (isSlow()) break;
	else attack = undefined;
`);

/** Processor time of this process, which other programs on a busy machine do not change. */
export function usedMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1_000;
}

/** One for all expressions, because to make one takes long. */
const context = createContext({ usedMs });

/** A text for which an expression needs much more time than in proportion to its length. */
export function slowAttackOn(pattern: Pattern, timeout = 10_000): unknown {
	const attacks = attacksOn(pattern);
	// All places of a text are searched, as split() does too.
	context.pattern = new RegExp(pattern.source, [...new Set(`${pattern.flags}g`)].join(''));
	for (let from = 0; from < attacks.length; from += group) {
		Object.assign(context, { attacks: attacks.slice(from, from + group), attack: undefined });
		// Unlike a timer, node:vm can interrupt an expression that backtracks endlessly.
		try {
			script.runInContext(context, { timeout });
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
		}
		if (context.attack) return context.attack;
	}
	return undefined;
}
