import { createContext, Script } from 'node:vm';
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';

import { sized } from '../../../propertyRuns';
import type { Pattern } from './patterns';

/** A text that may take long: a beginning, a piece that is repeated, and an end. */
type Attack = readonly [beginning: string, piece: string, end: string];

/** One of each kind, where a pattern names no character. */
const usual = [...'a0 \n_.é\u00a0\0'];

/** None, because the last repetition may be what fails; and what few expressions match. */
const ends = sized(['', '\n\0'], ['', '!', '\n\0']);

/** Texts made of what an expression itself looks for. */
function attacksOn({ source, flags }: Pick<Pattern, 'source' | 'flags'>): Attack[] {
	const unicode = flags.includes('u');
	const pattern = new RegExpParser().parsePattern(source, undefined, undefined, { unicode });
	const named = new Set<string>();
	const quantifiers: AST.Quantifier[] = [];
	const alternatives: AST.Alternative[] = [];
	visitRegExpAST(pattern, {
		onCharacterEnter: (node) => {
			// The letters of a word are tried as a word.
			const previous =
				node.parent.type === 'Alternative' &&
				node.parent.elements[node.parent.elements.indexOf(node) - 1];
			if (!previous || previous.type !== 'Character') named.add(textOf(node));
		},
		onQuantifierEnter: (node) => void quantifiers.push(node),
		onAlternativeEnter: (node) => void alternatives.push(node),
	});
	// Without a long repetition, each place of a text takes the same time.
	if (quantifiers.every(({ max }) => max < 100)) return [];
	const characters = [...new Set([...named, ...usual])];

	/** The shortest text that a node matches, or one with each optional part in it once. */
	function sample(node: AST.Element, least: number): string {
		switch (node.type) {
			case 'Character':
				return textOf(node);
			case 'CharacterSet':
			case 'CharacterClass':
			case 'ExpressionCharacterClass': {
				const one = new RegExp(`^${node.raw}$`, flags.replace(/[gy]/g, ''));
				return characters.find((character) => one.test(character)) ?? '';
			}
			case 'Group':
			case 'CapturingGroup':
				return samples(node.alternatives[0]?.elements ?? [], least);
			case 'Quantifier':
				return sample(node.element, least).repeat(Math.max(node.min, Math.min(least, node.max)));
			case 'Backreference':
				return samples([node.resolved].flat(), least);
			case 'Assertion':
				return '';
		}
	}
	const samples = (nodes: readonly AST.Element[], least: number) =>
		nodes.map((node) => sample(node, least)).join('');

	function before(node: AST.Node, least: number): string {
		const { parent } = node;
		if (parent === null) return '';
		const earlier =
			parent.type === 'Alternative'
				? samples(parent.elements.slice(0, parent.elements.indexOf(node as AST.Element)), least)
				: '';
		return before(parent, least) + earlier;
	}

	const beginnings = new Set(['']);
	const words = new Set<string>();
	for (const least of [0, 1]) {
		for (const quantifier of quantifiers) {
			const beginning = before(quantifier, least);
			beginnings.add(beginning);
			words.add(beginning);
			words.add(beginning + sample(quantifier, 1));
		}
		for (const { elements } of alternatives) {
			words.add(samples(elements, least));
			// From each part that may be repeated to the next.
			let from = 0;
			for (const [index, element] of [...elements, undefined].entries()) {
				if (element && element.type !== 'Quantifier') continue;
				words.add(samples(elements.slice(from, index), least));
				words.add(samples(elements.slice(from, index + 1), least));
				from = index + 1;
			}
		}
	}
	words.delete('');
	// Too many for `npm test`.
	const seconds = sized([], characters);
	const pairs = characters.flatMap((one) => seconds.map((other) => one + other));
	const pieces = new Set([...characters, ...pairs, ...words]);
	const attacks = [...beginnings].flatMap((beginning) =>
		[...pieces].flatMap((piece) => ends.map((end) => [beginning, piece, end] as const)),
	);
	// A long expression has thousands. They are spread, because neighbours are alike.
	const step = Math.ceil(attacks.length / sized(200, Infinity)) || 1;
	return attacks.filter((_, index) => index % step === 0);
}

const textOf = ({ value }: AST.Character) => String.fromCodePoint(value);

/** So many texts are tried within one timeout, although a tenth of a second is enough. */
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
		for (let tries = 0; tries < 2; tries++) if (timeFor(count) < 80) return false;
		return true;
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
export function slowAttackOn(pattern: Omit<Pattern, 'where'>, timeout = 10_000): unknown {
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
