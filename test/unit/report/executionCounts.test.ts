import { countInExecution } from '../../../nodes/CustomerMessaging/report/executionCounts';
import type { UnusableRun } from '../../../nodes/CustomerMessaging/run/resolveRun';
import { VirtualClock } from '../../../simulation/virtualClock';
import { fakeN8n } from '../../../simulation/fakeN8n';
import { accepted, notSent, rejected, runOf, sent, unknown } from './support/results';

const push = runOf('push', 'send');

/** An execution of n8n with its values, in which each node has a memory of its own. */
function execution(values = new Map<string, string>(), runIndex = 0) {
	const logged: string[] = [];
	const context = {};
	const n8n = {
		...fakeN8n(new VirtualClock(0), () => {
			throw new Error('Nothing is sent');
		}),
		memory: () => ({ context, runIndex, execution: '1' }),
		executionValues: () => ({
			get: (key: string) => values.get(key),
			setAll: (given: Record<string, string>) => {
				for (const [key, value] of Object.entries(given)) values.set(key, value);
			},
		}),
		log: (message: string) => logged.push(message),
	};
	return { values, logged, n8n };
}

describe('The values by which executions can be filtered', () => {
	it('name the operations of all nodes, and sum their messages', () => {
		const { values, n8n } = execution();
		countInExecution([sent(0, accepted()), sent(1, rejected())], push, n8n);
		countInExecution([sent(0, unknown())], runOf('sms', 'send'), execution(values).n8n);
		countInExecution([sent(0, notSent('stopped'))], push, execution(values).n8n);
		expect(Object.fromEntries(values)).toEqual({
			messaging_operation: 'push send, sms send',
			messaging_accepted: '1',
			messaging_unknown: '1',
			messaging_not_sent: '2',
		});
	});

	it('count a row that was refused, and another try of the same round only once', () => {
		const { values, n8n } = execution(new Map([['messaging_accepted', 'my own']]));
		const invalid = { kind: 'invalid' as const, itemIndex: 1, problems: [] };
		countInExecution([sent(0, accepted()), invalid], push, n8n);
		countInExecution([sent(0, accepted()), sent(2, accepted()), invalid], push, n8n);
		countInExecution([sent(0, accepted())], push, {
			...n8n,
			memory: () => ({ ...n8n.memory(), runIndex: 1 }),
		});
		expect([values.get('messaging_accepted'), values.get('messaging_not_sent')]).toEqual([
			'3',
			'1',
		]);
	});

	it('hold no more of the operations than n8n keeps', () => {
		const { values, n8n } = execution(new Map([['messaging_operation', 'x'.repeat(250)]]));
		countInExecution([sent(0, accepted())], push, n8n);
		expect(values.get('messaging_operation')).toBe(`${'x'.repeat(250)}, pus`);
	});

	it('are none if the operation is unknown or nothing was to be sent', () => {
		const { values, logged, n8n } = execution();
		const unusable: UnusableRun = {
			problems: [],
			history: { isRetry: false, wasInterrupted: false },
		};
		countInExecution([sent(0, accepted())], unusable, n8n);
		countInExecution([sent(0, accepted())], { ...unusable, resource: 'push' }, n8n);
		countInExecution([], push, n8n);
		expect([...values, ...logged]).toEqual([]);
	});

	it('may be missing or refused in a version of n8n, which the log says', () => {
		const { logged, n8n } = execution();
		countInExecution([sent(0, accepted())], push, { ...n8n, executionValues: () => undefined });
		expect(logged).toEqual([]);
		const executionValues = () => {
			throw new Error('Not in manual executions');
		};
		countInExecution([sent(0, accepted())], push, { ...n8n, executionValues });
		expect(logged).toEqual([
			'The numbers could not be kept for filtering executions: Not in manual executions',
		]);
	});
});
