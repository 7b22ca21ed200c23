import type { State } from '../../stream';
import { Faults } from './Faults';
import { Gauges } from './Gauges';
import { Limits } from './Limits';
import { TestCredentials } from './TestCredentials';

/** Shows and changes how the service behaves, to test a workflow against it. */
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
