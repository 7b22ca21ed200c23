import {
	asRecord,
	audienceKeys,
	type Fields,
	type FormParameter,
	isBlank,
	isRecord,
} from '../fields/field';
import { datesInEnglish, isNobody, standsForNone } from '../fields/lost';
import type { N8n } from '../n8n/context';
import { declaredFields, type Operation, type Row } from '../operations/operation';
import type { InputColumns } from '../run/columns';
import { ifPossible } from '../run/parameters';
import { quote, quoted, say, type Sentence } from '../shared/formatting';
import type { Problem } from '../shared/ending';
import {
	isPlainPath,
	pathsIn,
	withOptionalSteps,
	leftToN8n,
	parseTemplate,
} from '../run/expressions';

// Refuses values that would harm or embarrass the sender. It judges results and plain paths, and no other code.

/** `isHint`: the row is sent anyway, with a hint. */
type Finding = Problem & { isHint?: boolean };

type Parameters = Row['parameters'];

interface SearchedField {
	operation: Operation;
	columns: InputColumns;
	field: string;
	label: string;
	/** `other`: neither written by people nor deciding whom a message reaches. */
	kind: 'text' | 'link' | 'id' | 'key' | 'attribute' | 'time' | 'other';
	isRequired: boolean;
	read: (parameters: Parameters) => unknown;
	isShown: (parameters: Parameters) => boolean;
	/** Findings in a value without placeholders, which is the same in all rows for recipients of one kind. */
	last?: { written: unknown; recipientBy: unknown; found: Finding[] };
}

type Searched = ReturnType<typeof toSearch>;
type Placeholder = Searched['placeholders'][number];

type Source = Pick<N8n, 'raw' | 'evaluate' | 'isTool'>;

/** Returns a function that finds problems in the fields of a row. */
export function placeholderRules(
	operation: Operation,
	n8n: Source,
	columns: InputColumns,
	{ skipTextCheck, sendOnce }: { skipTextCheck: boolean; sendOnce: boolean },
): (row: Row) => Finding[] {
	const declared = declaredFields(operation);
	const additional = asRecord(n8n.raw('additionalFields'));
	const parameters = new Map<string, Pick<FormParameter, 'displayName' | 'displayOptions'>>(
		operation.form.map((parameter) => [parameter.name, parameter]),
	);
	if (sendOnce) parameters.set('sendOnceKey', { displayName: 'Send Once Key' });
	const names = new Set([...Object.keys(declared), ...parameters.keys()]);
	const fields = [...names].flatMap((field): Searched[] => {
		const parameter = parameters.get(field);
		const one = declared[field];
		const conditions = Object.entries(parameter?.displayOptions?.show ?? {});
		// Fields that the row's choices hide are not sent. A condition that is an object asks for any value.
		const isShown = (given: Parameters) =>
			conditions.every(([name, values]) =>
				values?.some((value) => (isRecord(value) ? !isBlank(given[name]) : value === given[name])),
			);
		const stored = parameter ? n8n.raw(field) : additional[field];
		const label = (one?.form ?? parameter)?.displayName ?? field;
		const isRequired = one !== undefined && !(field in operation.fields.optional);
		const kind = kindOf(field, one);
		const read = (given: Parameters) =>
			(parameter ? given : asRecord(given.additionalFields))[field];
		const about = { operation, columns, field, label, kind, isRequired, isShown, read };
		const whole = toSearch(stored, about, n8n);
		const entries = assignmentsIn(stored).map(({ name, value }, at) => {
			const entry = { ...whole, label: `the attribute ${quote(name)}`, isRequired: false };
			const readEntry = (given: Parameters) => assignmentsIn(given[field])[at]?.value;
			return toSearch(value, { ...entry, kind: 'attribute', read: readEntry }, n8n);
		});
		return [whole, ...entries];
	});
	const searched = fields
		.filter(({ kind }) => !skipTextCheck || !['text', 'link', 'attribute'].includes(kind))
		.filter(
			({ kind, placeholders }) => placeholders.length > 0 || ['text', 'link', 'key'].includes(kind),
		);
	return (row) => searched.flatMap((one) => findIn(one, row));
}

const timeFields = /^(?:scheduledFor|nextTime|hoursFrom|hoursTo|scheduleTimezone|event_time)$/;

function kindOf(field: string, declared: Fields[string] | undefined): Searched['kind'] {
	if (timeFields.test(field)) return 'time';
	if (field === 'sendOnceKey') return 'key';
	const { isText, isLink, isId, reaches, holdsAddresses, holdsNumber } = declared ?? {};
	if (isLink) return 'link';
	if (isId || reaches === 'recipient' || holdsAddresses || holdsNumber) return 'id';
	return isText ? 'text' : 'other';
}

function toSearch(raw: unknown, field: SearchedField, n8n: Source) {
	const parts = parseTemplate(raw) ?? [];
	/** True if a single placeholder gives the value. */
	const isWhole = typeof onlyPart(raw) === 'object';
	const textAt = (at: number) => (typeof parts[at] === 'string' ? parts[at] : '');
	// If one of these is empty, different people or messages count as the same.
	const decides = field.kind === 'id' || field.kind === 'key';
	const placeholders = parts.flatMap((part, at) => {
		if (typeof part === 'string') return [];
		const before = parts.slice(0, at).map((_, index) => textAt(index) || 'x');
		const words = before.join('').split(/[\s"'<>]/);
		const word = words.at(-1) ?? '';
		const link = field.kind === 'link' || /https?:\/\//i.test(word) ? word : '';
		const code = part.code.trim();
		const bare = code.replace(literal, '""');
		return {
			code,
			/** True if it only reads a value, without a fallback for a missing one. */
			isPlain: isPlainPath(code) && (decides || !code.includes('?.')),
			hasOwnChoice: decides ? /(["'`])\1/.test(code) : ownChoice.test(bare),
			isFilter: filter.test(bare),
			isInQuery: link.includes('?'),
			/** True for a value in a link's query, directly behind an equals sign. */
			isQueryValue: /[?&][^?&#=]*=$/.test(link),
			/** The text before and behind it, which meet if it gives nothing. */
			around: textAt(at - 1) + textAt(at + 1),
			/** Its value. In a tool, `$json` is not the item, so n8n reads it. */
			valueIn: ({ index, json }: Row) => {
				const value = part.read && !n8n.isTool ? part.read(json) : leftToN8n;
				return value === leftToN8n ? ifPossible(() => n8n.evaluate(code, index)) : value;
			},
		};
	});
	/** The template's own words, in its text and in the strings of its code. */
	const said = (parseTemplate(raw) ?? [String(raw)]).flatMap((part) =>
		typeof part === 'string' ? part : part.code.match(literal),
	);
	return { ...field, decides, isWhole, placeholders, said: said.join(' ') };
}

/** The entries of n8n's list of names, types and values. */
function assignmentsIn(list: unknown): Array<Record<string, unknown>> {
	const { assignments } = asRecord(list);
	return Array.isArray(assignments) ? assignments.filter(isRecord) : [];
}

function findIn(one: Searched, row: Row): Finding[] {
	if (!one.isShown(row.parameters)) return [];
	const written = one.read(row.parameters);
	const { recipientBy } = row.parameters;
	const { last, placeholders } = one;
	if (last && last.written === written && last.recipientBy === recipientBy) return last.found;
	const about = placeholders.flatMap((part) => judgePlaceholder(part, one, row));
	const isRefused = about.some(({ isHint }) => !isHint);
	const found = isRefused ? about : [...about, ...judgeText(written, one, row)];
	if (placeholders.length === 0) one.last = { written, recipientBy, found };
	return found;
}

const filterNode = 'leave such items out with a Filter node';

/** A string in code. One without an end takes the rest, so that it is read only once. */
const literal = /(["'`])(?:(?!\1)[^\\]|\\[^])*(?:\1|\\?$)/g;

/** Code with a fallback for a missing value. In IDs and keys, only an empty string counts as one. */
const ownChoice = /\|\||\?|&&|\bifEmpty\b|\$if\b/;

/** `$json.name | upper`: a filter of another tool. JavaScript would calculate with it. */
const filter = /^[$\p{L}_][\p{L}\d_$.?[\]"]*\s*\|\s*[A-Za-z_]\w*\s*(?:[:(|].*)?$/su;

/** Judges a placeholder that reads a plain path or gives nothing. */
function judgePlaceholder(part: Placeholder, one: Searched, row: Row): Finding[] {
	const { field, label, kind, isRequired, isWhole, decides, columns, operation } = one;
	const { code, isPlain } = part;
	const tell = (
		what: string | Sentence,
		advice = `Correct it, or ${filterNode}`,
		path = code,
	): Finding[] => {
		const near = columns.nearest(path);
		const better = near === undefined ? advice : `Did you mean {{ ${near} }}?`;
		return [{ field, ...say`{{ ${code} }} in ${label} ${what}. ${better}` }];
	};
	const unread = 'reads a column that no item has';
	if (kind === 'time') {
		const path = pathsIn(code).find((found) => columns.lacks(found));
		const isCertain = columns.isSeveral || columns.nearest(path ?? '') !== undefined;
		return path !== undefined && isCertain ? tell(unread, undefined, path) : [];
	}
	if (kind === 'text' && part.isFilter)
		return tell('is a filter of another tool', 'Compute the text in an Edit Fields node before');
	const written = one.read(row.parameters);
	const isMissing = isPlain && columns.isSeveral && columns.lacks(code);
	if (isWhole && !isRequired && kind !== 'key')
		return isMissing ? tell(unread, 'It stays empty').map(asHint) : [];
	if (kind === 'attribute' || kind === 'other') return [];
	if (kind === 'key' && part.hasOwnChoice) return [];
	const isNamedNobody = typeof written === 'string' && isNobody(written);
	if (isWhole && !isBlank(written) && !isNamedNobody) return [];
	const isComputed = !isPlain && !isWhole;
	if (isComputed && (part.hasOwnChoice || !String(written).includes(part.around))) return [];
	const value = part.valueIn(row);
	if (typeof value === 'boolean' && (part.isInQuery || kind === 'key')) return [];
	const isNothing = value === undefined || value === null || Number.isNaN(value);
	const what = whyNoText(value);
	// Services read a plus as a space.
	if (isPlain && part.isQueryValue && what === undefined && /[&#\s]|\+[^+]*@/.test(String(value)))
		return tell(
			say`is ${quoted(value)}, which ends or changes a value in a link`,
			`Write {{ encodeURIComponent(${code}) }}`,
		);
	if (isComputed && !isNothing && !(decides && what === 'is empty')) return [];
	const isForPeople = operation.isMessage && kind === 'text' && field !== 'campaign_name';
	const isGreeting = isForPeople && isPlain && !isWhole && field in operation.fields.required;
	if (what === undefined && operation.isBroadcast && isGreeting) {
		const same = say`{{ ${code} }} in ${label} is ${quoted(value)} for all recipients: a broadcast says the same to everybody. To write to each person by name, use 'Send to User' with one item for each person`;
		return [asHint({ field, ...same })];
	}
	if (what !== 'is empty' || !isPlain || isWhole || !isForPeople) return what ? tell(what) : [];
	return tell(what, `Write {{ ${withOptionalSteps(code)} || 'there' }}, or ${filterNode}`);
}

const asHint = (finding: Finding): Finding => ({ ...finding, isHint: true });

/** The end of a sentence that refuses a value in a text; undefined if it can be written. */
function whyNoText(value: unknown): string | undefined {
	if (isBlank(value) || (Array.isArray(value) && value.every(isBlank))) return 'is empty';
	if (typeof value === 'string') return isNobody(value) ? standsForNone(value) : undefined;
	if (typeof value === 'number' && !Number.isNaN(value)) return undefined;
	if (Array.isArray(value))
		return value.some(whyNoText) ? 'is a list that holds more than texts' : undefined;
	if (isRecord(value)) return `is an object with ${Object.keys(value).slice(0, 5).join(', ')}`;
	if (typeof value === 'object') return 'is a date without a format';
	const isNamed = typeof value === 'boolean' || typeof value === 'number';
	return `is ${isNamed ? value : 'neither a text nor a number'}`;
}

/** Words that JavaScript writes for missing and invalid values. */
const lost =
	/(?<![\p{L}\p{N}_-])(?:undefined|NaN|Invalid Date(?:Time)?)(?![\p{L}\p{N}_-])|\[object [A-Z]\w*\]|\[native code/u;
const nullWord = /(?<![\p{L}\p{N}_-])null(?![\p{L}\p{N}_-])/u;

/** In a composed ID or key, such a word also counts beside a letter or a dash, as in `order-undefined`. */
const separateWords = (key: string) => key.replace(/[_-]|(?=undefined|NaN|null|Invalid)/g, ' ');

/** Placeholders of other tools, and those of n8n in a field that is no expression. */
const leftover =
	/\{\{[^{}]{0,80}(?:\}\})?|\}\}|\{%[^{}]{0,80}\}?|<%[^<>]{0,80}>?|\*\|[^|*\n]{1,80}\|\*|%%[\p{L}_][^%\n]{0,80}%%/u;

const rawTime = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)/;

/** An HTML entity or tag. */
const markup =
	/&(?:#\d{2,6}|#x[\da-f]{2,5}|[a-z]{2,8}\d{0,2});|<\/?(?:p|br|b|i|u|em|strong|a|div|span|ul|ol|li|h[1-6]|img|table|tr|td|font|body|style|script)(?:\s[^<>]{0,500})?\s?\/?>/i;

/** Styles, scripts and comments of HTML. One without an end hides the rest, as in a browser. */
const unseen = /<(style|script)[^]*?(?:<\/\1|$)|<!--[^]*?(?:-->|$)/gi;

/** A link, also in HTML. */
const address = /https?:\/\/[^\s"'<>]*|\b(?:href|src)\s*=\s*(?:"[^"]*"|'[^']*')/gi;

/** A quick test, because most texts contain none of these. */
const mayHoldAny =
	/undefined|NaN|null|Invalid Date|\[object|\[native|\dT\d| GMT|\{\{|\}\}|\{%|<%|\*\||%%/;

/** Judges a text as it came out. */
function judgeText(written: unknown, one: Searched, row: Row): Finding[] {
	const { kind, label, field, isWhole, decides, said, placeholders } = one;
	if (typeof written !== 'string' || kind === 'time' || kind === 'other') return [];
	if (kind === 'attribute' && isWhole) return [];
	const tell = (found: string | ReturnType<typeof quoted>, why: string) => [
		{ field, ...say`${label} contains ${found}, ${why}` },
	];
	const [tag] =
		['text', 'link'].includes(kind) && field !== 'content' ? (markup.exec(written) ?? []) : [];
	const hints =
		tag === undefined ? [] : tell(quoted(tag), 'HTML that people would see as it is').map(asHint);
	if (!mayHoldAny.test(written)) return hints;

	const visible =
		decides || kind === 'link' ? written : written.replace(unseen, ' ').replace(address, ' ');
	const missing = `which stands for a missing value. Correct it, or ${filterNode}`;
	const isColumn = isWhole && placeholders.every((part) => part.isPlain);
	const words = decides && !isColumn ? separateWords : String;
	const [word] = lost.exec(words(visible)) ?? [];
	if (word !== undefined && !said.includes(word)) return tell(quote(word), missing);
	const hasNull = (text: string) => nullWord.test(words(text));
	/** Computed code gives the word, or a column ends in it, as in `Anna null`. */
	const givesNull = (part: Placeholder) => {
		const value = part.valueIn(row);
		if (typeof value !== 'string' || !hasNull(value)) return false;
		return !isPlainPath(part.code) || /^\s*(?:\S+\s+){1,2}null\s*$/.test(value);
	};
	if (hasNull(visible) && !hasNull(said) && placeholders.some(givesNull))
		return tell(quote('null'), missing);
	if (kind === 'attribute' || kind === 'link') return hints;
	const [other] = leftover.exec(visible) ?? [];
	if (other !== undefined) {
		const { isBroadcast, fields } = one.operation;
		const isForMany =
			isBroadcast || audienceKeys(fields.recipients).includes(String(row.parameters.recipientBy));
		const found = tell(
			quoted(other),
			'which n8n does not fill in. Set the field to Expression, and write a column as {{ $json.column }}',
		);
		return isForMany && !decides ? found.map(asHint) : found;
	}
	if (decides || field === 'campaign_name') return hints;
	const shown = visible.replace(/<[^<>]*>/g, ' ');
	const [time] = rawTime.exec(shown) ?? shown.match(datesInEnglish) ?? [];
	return time === undefined || said.includes(time)
		? hints
		: tell(quoted(time), 'a time without a format. Format it in an Edit Fields node before');
}

/** The only part of a template that is more than invisible text; undefined if there are several or none. */
export function onlyPart(raw: unknown) {
	const parts = parseTemplate(raw)?.filter((part) => typeof part !== 'string' || !isBlank(part));
	return parts?.length === 1 ? parts[0] : undefined;
}
