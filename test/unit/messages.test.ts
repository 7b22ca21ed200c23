import { collectLabels } from '../../nodes/CustomerMessaging/fields/field';
import { resources } from '../../nodes/CustomerMessaging/operations';
import { optionsForm } from '../../nodes/CustomerMessaging/run/options';
import { runParameters } from '../../nodes/CustomerMessaging/run/resolveRun';
import { sentences } from './support/sentences';

const all = sentences();

test('The messages of the node are found by these tests.', () => {
	expect(all.length).toBeGreaterThan(250);
	expect(all).toContain('… has … characters, but Android and iOS take at most …. Shorten it');
	expect(all).toContain('The service did not accept the credentials (401)');
});

test('No sentence is longer than 25 words.', () => {
	const long = all
		.flatMap((text) => text.split(/(?<=[.!?])\s+/))
		.filter((sentence) => (sentence.match(/[^\s…]+/g) ?? []).length > 25);
	expect(long).toEqual([]);
});

test('No message holds a key where the form has a label.', () => {
	const forms = resources.flatMap(({ operations }) => operations.flatMap(({ form }) => form));
	const labels = collectLabels([...runParameters, optionsForm, ...forms]);
	// A key of one plain word is an ordinary word, too.
	const keys = Object.keys(labels).filter((key) => /[A-Z_]/.test(key));
	expect(keys.length).toBeGreaterThan(30);
	const found = all.filter((text) =>
		(text.match(/\w+/g) ?? []).some((word) => keys.includes(word)),
	);
	expect(found).toEqual([]);
});
