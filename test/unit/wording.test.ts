import ts from 'typescript';

import { CustomerMessagingApi } from '../../credentials/CustomerMessagingApi.credentials';
import { CustomerMessagingPartnerApi } from '../../credentials/CustomerMessagingPartnerApi.credentials';
import { CustomerMessaging } from '../../nodes/CustomerMessaging/CustomerMessaging.node';
import { collectLabels } from '../../nodes/CustomerMessaging/fields/field';
import { resources } from '../../nodes/CustomerMessaging/operations';
import { optionsForm } from '../../nodes/CustomerMessaging/run/options';
import { runParameters } from '../../nodes/CustomerMessaging/run/resolveRun';
import { below, publishedSources } from '../engine/security/support/patterns';
import { type Message, messages } from './support/messages';

/** The keys whose values the editor shows. */
const shown = ['displayName', 'description', 'placeholder', 'hint', 'action', 'name', 'message'];

/** Every text of a built description, including one-word labels, with its place. */
function textsOf(part: unknown, where: string): Message[] {
	if (typeof part !== 'object' || part === null) return [];
	return Object.entries(part).flatMap(([key, value]): Message[] => {
		const at = `${where}.${key}`;
		if (typeof value !== 'string') return textsOf(value, at);
		// The name of a parameter is the API's key. The name of an option is its label.
		const isKey = key === 'name' && 'displayName' in part;
		return shown.includes(key) && !isKey && value !== '' ? [{ where: at, text: value }] : [];
	});
}

const built = [
	...textsOf(new CustomerMessaging().description, 'node'),
	...textsOf(new CustomerMessagingApi(), 'credential'),
	...textsOf(new CustomerMessagingPartnerApi(), 'partner credential'),
];
const written = messages();
const everything = [...written, ...built];

/** The texts that match a rule, except for the label of the credential test's result and that of an option. */
function found(rule: RegExp, among = everything): string[] {
	const labels = /^Invalid credentials: |Leave Out Invalid Values/g;
	return among
		.filter(({ text }) => rule.test(text.replace(labels, '')))
		.map(({ where, text }) => `${where}: ${text}`);
}

test('The messages of the node are found by this test.', () => {
	expect(built.length).toBeGreaterThan(150);
	expect(written.length).toBeGreaterThan(250);
	const text = '… has … characters, but Android and iOS take at most …. Shorten it';
	expect(written).toContainEqual(expect.objectContaining({ text }));
});

test('No sentence about a run is longer than 25 words.', () => {
	const ofForms = new Set(built.map(({ text }) => text));
	const listsAndPages = /description|report\/preview/;
	const long = written
		.filter(({ where, text }) => !ofForms.has(text) && !listsAndPages.test(where))
		.filter(({ text }) => !/^(?:<style>|\nAF AX )/.test(text))
		.flatMap(({ text }) => text.split(/(?<=[.!?])\s+/))
		.filter((sentence) => (sentence.match(/[^\s…]+/g) ?? []).length > 25);
	expect(long).toEqual([]);
});

test('No message holds a key where the form has a label.', () => {
	const forms = resources.flatMap(({ operations }) => operations.flatMap(({ form }) => form));
	const labels = collectLabels([...runParameters, optionsForm, ...forms]);
	// A key of one plain word is an ordinary word, too.
	const keys = Object.keys(labels).filter((key) => /[A-Z_]/.test(key));
	expect(keys.length).toBeGreaterThan(30);
	expect(found(new RegExp(`\\b(${keys.join('|')})\\b`), written)).toEqual([]);
});

test("No pattern of the node's code reads a sentence of the node's own", () => {
	const patterns = publishedSources(['nodes']).flatMap(({ source }) =>
		[...below(source)].filter(ts.isRegularExpressionLiteral).map(({ text }) => text),
	);
	expect(patterns.length).toBeGreaterThan(100);
	// Two words in a row are of a language.
	const words = patterns.flatMap((one) => one.match(/[a-z]{3,} [a-z]{2,}(?: [a-z]{2,})*/i) ?? []);
	const isOwn = (sentence: string) => written.some(({ text }) => text.includes(sentence));
	// JavaScript writes it, too.
	expect(words.filter(isOwn)).toEqual(['object Object']);
});

const blame =
	/\b(invalid|illegal|incorrect|forbidden|you (must|should|have to|forgot|entered|did)|not allowed)\b/i;
const errors = /\bmistakes?\b|(?<!\b(Internal|On) )\berrors?\b(?! (output|and details)\b)/i;
const ofProgrammers =
	/\b(null|undefined|NaN|boolean|string|integer|array|payload|param(eter)?s?|regex|enum|parse[ds]?|stack|callback|int64|JavaScript)\b/;
const inSmall = /(?<![\w/.:])(api|json|https|sms|Url|Sms|Api)(?![\w:/.-])/;

test.each([
	['alarming words', /\b(crash(ed)?|fatal|abort(ed)?|exception|oops)\b/i],
	['blame', blame],
	['errors and mistakes, except of this node and as names', errors],
	['filler words', /\b(please|sorry|unfortunately|simply|just|easily)\b/i],
	["a programmer's words", ofProgrammers],
	['exclamation', /[\p{L}\d]!(\s|$)/u],
	['two spaces, or one before a comma or at an end', /\S {2,}\S| [,;:]|^ $/],
	['an ellipsis instead of a whole sentence', /\.\.\./],
	['another word for email, as in its labels', /\be-mails?\b/i],
	['another word for timezone, as n8n says', /\btime[ -]zones?\b/i],
	['other words for sign in, credential and ID', /\b(log ?in|credentials? id|Id|ids)\b(?! page)/],
	['API, JSON, HTTPS, SMS and URL in small letters', inSmall],
	['rows for items, as n8n says', /\brows?\b(?! of n8n's database|=")(?<!\bin a row)/i],
	['brakes for safety limits', /\bbrakes?\b/i],
	['short forms', /\b(can't|won't|don't|isn't|doesn't|it's)\b/],
])('All texts do without %s.', (_, rule) => {
	expect(found(rule)).toEqual([]);
});
