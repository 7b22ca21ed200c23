import { readFileSync } from 'node:fs';
import path from 'node:path';

import { resources } from '../../nodes/CustomerMessaging/operations';
import { labelReader } from '../../nodes/CustomerMessaging/report/fieldLabels';
import { collectLabels } from '../../nodes/CustomerMessaging/fields/field';
import { optionsForm } from '../../nodes/CustomerMessaging/run/options';
import { runParameters } from '../../nodes/CustomerMessaging/run/runParameters';
import { causes } from '../../scripts/docs/causes';
import { messagesIn, messagesPage, sections } from '../../scripts/docs/messages';
import { messages } from './support/messages';

const written = readFileSync(path.join(__dirname, '../../docs/messages.md'), 'utf8');
const all = sections().flatMap((section) => section.messages);

test('docs/messages.md is what `npm run docs` makes of the code.', () => {
	expect(written).toBe(messagesPage());
	expect(all.length).toBeGreaterThan(150);
	expect(written).toContain('- … has … characters, but Android and iOS take at most …. Shorten it');
	expect(written).toContain('- The service did not accept the credentials (401)');
	expect(written).toContain("- 'Retry Unknown' is on: some people may get a message twice.");
});

test('Every file with messages has a section.', () => {
	const listed = new Set(causes.flatMap(({ files }) => files));
	const files = new Set(
		messages()
			.filter(({ where }) => where.startsWith('nodes/CustomerMessaging/'))
			.map(({ where }) => where.replace(/^nodes\/CustomerMessaging\/|:\d+$/g, '')),
	);
	const left = [...files].filter(
		(file) => !listed.has(file) && messagesIn(file).some((text) => / /.test(text)),
	);
	expect(left.sort()).toEqual(withoutMessages);
});

/** Files whose texts are not messages but fixed parts of forms, previews, patterns and lists. */
const withoutMessages = [
	'ask/emailContent.ts',
	'ask/page.ts',
	'ask/style.ts',
	'delivery/retryPolicy.ts',
	'fields/country.ts',
	'fields/segment.ts',
	'n8n/answerRequest.ts',
	'operations/campaign.ts',
	'operations/push.ts',
	'report/previewPage/email.ts',
	'report/previewPage/emailContent.ts',
	'report/previewPage/fields.ts',
	'report/previewPage/page.ts',
	'report/previewPage/push.ts',
	'report/previewPage/sms.ts',
	'report/previewPage/styles.ts',
	'run/builderHints.ts',
	'run/credentialFields.ts',
	'shared/formatting.ts',
	'shared/mask.ts',
];

test('No sentence is longer than 25 words.', () => {
	const long = all
		.flatMap((text) => text.split(/(?<=[.!?])\s+/))
		.filter((sentence) => (sentence.match(/[^\s…]+/g) ?? []).length > 25);
	expect(long).toEqual([]);
});

test('No message holds a key where the form has a label.', () => {
	const keys = [...runParameters, optionsForm, ...resources.flatMap(formsOf)];
	// A key of one plain word is an ordinary word, too.
	const special = Object.keys(collectLabels(keys)).filter((key) => /[A-Z_]/.test(key));
	expect(special.length).toBeGreaterThan(30);
	const found = all.filter((text) =>
		(text.match(/\w+/g) ?? []).some((word) => special.includes(word)),
	);
	expect(found).toEqual([]);
});

test('Every field of every form has its label.', () => {
	for (const { operations } of resources) {
		for (const operation of operations) {
			const labelOf = labelReader({ operation });
			for (const [key, label] of Object.entries(collectLabels(operation.form)))
				expect([key, labelOf(key)]).toEqual([key, label]);
		}
	}
});

function formsOf({ operations }: (typeof resources)[number]) {
	return operations.flatMap(({ form }) => form);
}
