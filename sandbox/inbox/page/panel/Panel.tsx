import type { State } from '../../stream';
import { Faults } from './Faults';
import { Gauges } from './Gauges';
import { Limits } from './Limits';
import { TestCredentials } from './TestCredentials';

/** What the service is set to do, to watch how a workflow copes with it. */
export function Panel({ state: { gauges, faults, settings, lastChange } }: { state: State }) {
	return (
		<aside class="panel" aria-label="Limits and faults" tabIndex={0}>
			<Gauges gauges={gauges} />
			<Faults {...{ faults, lastChange }} />
			<Limits {...{ settings, lastChange }} />
			<TestCredentials />
		</aside>
	);
}
