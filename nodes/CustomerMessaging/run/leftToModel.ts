import type { FormParameter } from '../fields/field';
import type { N8n } from '../n8n/context';
import type { Problem } from '../shared/ending';
import { givenOne, say } from '../shared/formatting';
import { ifPossible, isReviewText } from './parameters';
import { listExpressions, storedFields } from './expressions';

/**
 * Refuses parameters that read the words of an AI agent's model. When an agent calls the node, n8n puts the model's
 * arguments into `$json`, over the item's own values. So a model may only fill in `$fromAI`, and only where the
 * parameter's declaration permits it.
 */
export function leftToModel(
	form: readonly FormParameter[],
	n8n: Pick<N8n, 'raw' | 'read' | 'isTool' | 'isReview'>,
): Problem[] {
	if (!n8n.isTool && !n8n.isReview) return [];
	const problems = storedFields(form, n8n).flatMap(([name, stored, declared]): Problem[] => {
		const rule = refusal(name, stored, declared, isReviewText(name, n8n));
		return rule === undefined ? [] : [{ field: name, rule }];
	});
	if (problems.length > 0) return problems;
	return form.flatMap(({ name, displayName, reaches }): Problem[] => {
		const value = ifPossible(() => n8n.read(name, 0));
		if (name === 'dataMode' && value === 'autoMapInputData') {
			const rule = `'${displayName}' is left to the model, because all that it passes is sent. Choose Define Below and use $fromAI`;
			return [{ field: name, rule }];
		}
		const isId = reaches === 'recipient' && displayName.endsWith(' ID');
		const isFilledIn = fromAI.test(String(n8n.raw(name)));
		if (!isId || !isFilledIn || typeof value !== 'string' || !/[,;*\s]/.test(value)) return [];
		const sentence = say`${displayName} is ${givenOne(value)}, but an ID that a model fills in cannot contain a comma, semicolon, asterisk or space. Pass one ID`;
		return [{ field: name, ...sentence }];
	});
}

/** n8n accepts three spellings. */
const fromAI = /\$fromai\b/i;

/** Says why a parameter is refused; undefined if it reads nothing that the model wrote. */
function refusal(
	name: string,
	entry: unknown,
	{ displayName = name, reaches, modelMayFill = false }: Partial<FormParameter> = {},
	mayNameTool: boolean,
): string | undefined {
	const codes = listExpressions(entry);
	const plain = codes
		.filter((code) => plainCode.test(code))
		.map((code) => code.replace(texts, "''"));
	const label = `'${displayName}' is left to the model`;
	if (!modelMayFill && plain.some((code) => fromAI.test(code))) {
		const why =
			reaches === 'nobody' ? 'only a person may set it' : 'it decides whom a message reaches';
		return `${label}, but ${why}. Set it to a fixed value`;
	}
	const readsTool = plain.some((code) => /\$tool\b/.test(code));
	if (plain.length === codes.length && (mayNameTool || !readsTool)) return undefined;
	const ways = (modelMayFill ? ' or to $fromAI' : '') + (mayNameTool ? ' or to $tool' : '');
	return `${label}, because its expression can read the model's words or another item's value. Set it to a fixed value${ways}. For a value of each item, place Loop Over Items (batch size 1), Edit Fields and the agent in this order. Then enter {{ $('Edit Fields').first().json.${name} }}`;
}

const text = String.raw`"[^"\\\n\r\u2028\u2029]*"|'[^'\\\n\r\u2028\u2029]*'`;
const template = '`(?:[^`$\\\\]|\\$(?!\\{))*`';
const literal = String.raw`(?:${text}|${template}|-?\d+(?:\.\d+)?|true|false|null)`;
const pair = String.raw`\w+\s*:\s*${literal}`;
const object = String.raw`\{\s*(?:${pair}\s*(?:,\s*${pair}\s*)*)?\}`;
const fixed = String.raw`(?:${literal}|${object})`;
const values = String.raw`\(\s*(?:${fixed}\s*(?:,\s*${fixed}\s*)*)?\)`;
/** A step of a path, or a method with fixed values. `constructor` leads to a function that runs any code. */
const step = String.raw`\??\.(?!constructor\b|__)[\p{L}_$][\p{L}\d_$]*(?:${values})?|(?:\?\.)?\[(?:\d+|(?!.constructor)(?:${text}))\]`;
/** In a tool, n8n gives another item's value for `.item`. The first and the last do not depend on the item. */
const ofNode = String.raw`\$\((?:${text})\)\??\.(?:first|last)\(\)`;
const root = String.raw`(?:${literal}|${ofNode}|\$(?:now|today|vars|execution|tool)\b|\$from[aA][iI]${values})`;
/** n8n writes a comment before a value that the model fills in. */
const operand = String.raw`\s*(?:/\*[\w-]*\*/\s*)?${root}(?:${step})*\s*`;

/** Code that cannot hide what it reads. */
const plainCode = new RegExp(String.raw`^${operand}(?:(?:\?\?|\|\||\+)${operand})*$`, 'u');
const texts = new RegExp(String.raw`${text}|${template}`, 'gu');
