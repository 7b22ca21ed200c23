import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { LoggerProxy } from 'n8n-workflow';

type Keep = (level: string, message: string, ...more: unknown[]) => void;

/** Keeps everything that the node and n8n itself log in the tests of a file. */
export function useLog(keep: Keep): void {
	beforeAll(() => {
		const recorder: object = new Proxy(
			{},
			{ get: (_, level) => (level === 'scoped' ? () => recorder : keep.bind(null, String(level))) },
		);
		Container.set(Logger, recorder as Logger);
		LoggerProxy.init(recorder as never);
	});
}

/** The lines of n8n's log from the node in a test, after its name and that of the execution. */
export function useLogLines() {
	const lines: Array<[level: string, text: string]> = [];
	const ofNode = /^'Customer Messaging' in workflow .*?, execution (?:execution )?\d+: ([^]*)$/;
	useLog((level, message) => {
		const [, text] = ofNode.exec(message) ?? [];
		if (text !== undefined) lines.push([level, text]);
	});
	beforeEach(() => lines.splice(0));
	return lines;
}
