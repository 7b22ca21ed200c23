import { labelReader } from '../../../nodes/CustomerMessaging/report/fieldLabels';
import { runOf } from './support/results';

const labelOf = labelReader(runOf('push', 'send'));

test.each([
	['credential', 'Credential'],
	['execution', 'Execution'],
	['node', 'Node'],
	['answerUrl', 'Link'],
	['brandId', 'Brand ID'],
	['accessToken', 'Access Token'],
	['maxWait', 'Max Wait (Minutes)'],
	['sendOnceKey', 'Send Once Key'],
	['testRuns', 'When Run by Hand'],
	['resource', 'Resource'],
	['image_url', 'Image URL'],
])('The label of %s is the one in the editor, %s', (field, label) => {
	expect(labelOf(field)).toBe(label);
});

test.each(['Customer Number', 'toString', 'subject'])(
	'What no field of the operation is called, such as %s, is a column and keeps its name',
	(column) => {
		expect(labelOf(column)).toBe(column);
	},
);

test('Without an operation, the fields of every run have their labels', () => {
	const unusable = labelReader({});
	expect(unusable('maxWait')).toBe('Max Wait (Minutes)');
	expect(unusable('image_url')).toBe('image_url');
});
