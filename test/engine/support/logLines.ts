import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';

/** The lines of n8n's log from the node in a test, after its name and that of the execution. */
export function useLogLines(): Array<[level: string, text: string]> {
	const lines: Array<[level: string, text: string]> = [];
	beforeAll(() => {
		const keep = (level: string) => (message: string) => {
			const [, text] =
				/^'Customer Messaging' in workflow .*?, execution (?:execution )?\d+: ([^]*)$/.exec(
					message,
				) ?? [];
			if (text !== undefined) lines.push([level, text]);
		};
		const recorder: object = new Proxy(
			{},
			{ get: (_, level) => (level === 'scoped' ? () => recorder : keep(String(level))) },
		);
		Container.set(Logger, recorder as Logger);
	});
	beforeEach(() => lines.splice(0));
	return lines;
}
