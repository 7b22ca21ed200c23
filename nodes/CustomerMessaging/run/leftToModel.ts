import { type FormParameter, isRecord } from '../fields/field';
import type { N8n } from '../n8n/context';
import type { Problem } from '../shared/result';
import { isReviewText, parseTemplate, readIfPossible } from './parameters';
import { givenOne, say } from '../shared/sentence';

/**
 * Refuses parameters that read what the model of an AI agent wrote. When an agent calls the node, n8n puts the
 * model's arguments into `$json`, over the item's own values. So a model fills in only what says `$fromAI`,
 * and only where the parameter's declaration permits it.
 */
export function leftToModel(
	parameters: readonly FormParameter[],
	n8n: Pick<N8n, 'raw' | 'read' | 'isTool' | 'isReview'>,
): Problem[] {
	if (!n8n.isTool && !n8n.isReview) return [];
	// Each resource has its own parameter `operation`.
	const form = [...new Map(parameters.map((parameter) => [parameter.name, parameter])).values()];
	const problems = form.flatMap((parameter) => {
		const value = n8n.raw(parameter.name);
		// Each option of a collection declares for itself.
		const isCollection = parameter.type === 'collection' && isRecord(value);
		const declared = isCollection ? (parameter.options as FormParameter[]) : [parameter];
		const entries = isCollection ? Object.entries(value) : [[parameter.name, value] as const];
		return entries.flatMap(([name, entry]): Problem[] => {
			const known = declared.find((one) => one.name === name);
			const message = refusal(name, entry, known, isReviewText(name, n8n));
			return message === undefined ? [] : [{ field: name, message }];
		});
	});
	if (problems.length > 0) return problems;
	return form.flatMap(({ name, displayName, reaches }): Problem[] => {
		const value = readIfPossible(n8n, name, 0);
		if (name === 'dataMode' && value === 'autoMapInputData') {
			const message = `'${displayName}' is left to the model, because all that it passes is sent. Choose Define Below and use $fromAI`;
			return [{ field: name, message }];
		}
		const isId = reaches === 'recipient' && displayName.endsWith(' ID');
		const isFilledIn = fromAI.test(String(n8n.raw(name)));
		if (!isId || !isFilledIn || typeof value !== 'string' || !/[,;*\s]/.test(value)) return [];
		const sentence = say`${displayName} is ${givenOne(value)}, but an ID that a model fills in cannot contain a comma, semicolon, asterisk or space. Pass one ID`;
		return [{ field: name, ...sentence }];
	});
}

/** n8n knows it in three spellings. */
const fromAI = /\$fromai/i;

/** Why a parameter is refused; undefined if it reads nothing that the model wrote. */
function refusal(
	name: string,
	entry: unknown,
	{ displayName = name, reaches, modelMayFill = false }: Partial<FormParameter> = {},
	mayNameTool: boolean,
): string | undefined {
	const permitted = [...(modelMayFill ? ['$fromAI'] : []), ...(mayNameTool ? ['$tool'] : [])];
	const found = modelsWords(entry, permitted);
	if (found === undefined) return undefined;
	const label = `'${displayName}' is left to the model`;
	if (!modelMayFill && fromAI.test(found)) {
		const why =
			reaches === 'nobody' ? 'only a person may set it' : 'it decides whom a message reaches';
		return `${label}, but ${why}. Set it to a fixed value`;
	}
	const how = found.startsWith('$')
		? `reads ${found}, which can hold the model's words or another item's value`
		: `contains ${found}, which can hide what it reads`;
	const ways = permitted.map((one) => ` or to ${one}`).join('');
	return `${label}, because it ${how}. Set it to a fixed value${ways}. For a value of each item, place Loop Over Items (batch size 1), Edit Fields and the agent in this order. Then enter {{ $('Edit Fields').first().json.${name} }}`;
}

/** The first thing in a stored parameter with which it reads, or could read, what the model wrote. */
function modelsWords(value: unknown, permitted: readonly string[]): string | undefined {
	if (typeof value === 'object' && value !== null)
		return Object.values(value)
			.map((entry) => modelsWords(entry, permitted))
			.find(Boolean);
	if (typeof value !== 'string' || !value.startsWith('=')) return undefined;
	const parts = parseTemplate(value);
	if (!parts) return 'a backslash before braces';
	return parts
		.map((part) => (typeof part === 'string' ? undefined : inCode(part.code, permitted)))
		.find(Boolean);
}

/** What n8n gives to expressions besides JavaScript's own, and no model can write. */
const harmless =
	/^\$(?:now|today|vars|env|workflow|execution|if|ifEmpty|not|min|max|average|jmes[pP]ath)$/;

/** Names that lead to all others; n8n calls its own by names with underscores. */
const everything = /^(?:this|globalThis|Function|Reflect|eval|__.*)$/;

const names = /[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/gu;

function inCode(code: string, permitted: readonly string[]): string | undefined {
	if (code.includes('\\')) return 'a backslash';
	if (code.includes('constructor')) return 'constructor';
	const visible = withoutStrings(code);
	if (visible === undefined) return 'an open quotation mark';
	if (/<!--|-->/.test(visible)) return 'an HTML comment';
	for (const [name] of visible.matchAll(names)) {
		if (everything.test(name)) return name;
		if (!name.startsWith('$') || harmless.test(name)) continue;
		if (permitted.includes(name.replace(/^\$fromai$/i, '$fromAI'))) continue;
		return name === '$' ? (nodeCall.exec(code.replace(trusted, ''))?.[0] ?? name) : name;
	}
	return hasComputedKey(visible) ? 'a key made of texts' : undefined;
}

const literal = String.raw`"[^"\n\r\u2028\u2029]*"|'[^'\n\r\u2028\u2029]*'`;
/** What a key in brackets can follow. */
const operandEnd = /[\p{ID_Continue}$)\]}'".]/u;
const plainKey = /\[\s*''\s*\]/y;

/** Whether code has a key in brackets that is put together of texts, and so could be any name. */
function hasComputedKey(visible: string): boolean {
	const open: boolean[] = [];
	let [keys, before] = [0, ''];
	for (let at = 0; at < visible.length; at++) {
		const char = visible.charAt(at);
		plainKey.lastIndex = at;
		if (char === '[') {
			const isKey = operandEnd.test(before) && !plainKey.test(visible);
			open.push(isKey);
			keys += Number(isKey);
		} else if (char === ']') keys -= Number(open.pop() ?? false);
		else if (keys > 0 && /["']/.test(char)) return true;
		if (char.trim() !== '') before = char;
	}
	return false;
}

/** In a tool, n8n gives another item's value for `.item`; these do not depend on the item. */
const steady = String.raw`\s*\)\s*\??\.\s*(?:(?:first|last|all)\s*(?=\()|(?:isExecuted|params)(?![\p{ID_Continue}$]))`;
const ofNode = String.raw`\$\s*\(\s*(?:${literal})${steady}`;
const ignored = new RegExp(String.raw`/\*[^]*?\*/|//.*|${ofNode}|${literal}`, 'uy');
const template = /[`}](?:[^`$]|\$(?!\{))*(?:`|\$\{)/y;
const trusted = new RegExp(ofNode, 'gu');
/** What is read of a node, such as `$('Sheet').item`. */
const nodeCall = /\$\s*\([^)$]{0,100}\)(?:\s*\??\.\s*\w+)?/;
const ofPlainNode = new RegExp(String.raw`\$\s*\(\s*["'][\p{L}\p{N} ]*["']${steady}`, 'gu');

/**
 * Removes comments, strings and what a trusted node gave from code. A slash may divide or begin a regular
 * expression, in which quotation marks mean nothing, so what follows it stays. Undefined if a string has no end.
 */
function withoutStrings(code: string): string | undefined {
	let visible = '';
	const open: string[] = [];
	for (let at = 0; at < code.length;) {
		const char = code.charAt(at);
		const goesOn = char === '}' && '`}'.includes(open.pop() ?? '{');
		const pattern = goesOn || char === '`' ? template : ignored;
		pattern.lastIndex = at;
		const [found] = pattern.exec(code) ?? [];
		if (!found && (goesOn || /["'`]/.test(char))) return undefined;
		if (!found && char === '/')
			return visible + code.slice(at).replace(ofPlainNode, (call) => call.replaceAll('$', ''));
		if (char === '{' || (pattern === template && found?.endsWith('{'))) open.push(char);
		visible += !found ? char : char === '/' ? ' ' : "''";
		at += found?.length ?? 1;
	}
	return visible;
}
