import { resources } from '../../nodes/CustomerMessaging/operations';
import { textOf } from './support/pages';

test('The form for reporting a bug offers every resource.', () => {
	const [, offered = ''] =
		/label: Resource\n\s+options: \[(.*)\]/.exec(textOf('.github/ISSUE_TEMPLATE/bug_report.yml')) ??
		[];
	for (const { name } of resources) expect(offered.split(', ')).toContain(name);
});
