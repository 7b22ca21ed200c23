import { defaultLimits } from '../../../limiter';
import type { State } from '../../stream';
import { Faults } from './Faults';
import { Gauges } from './Gauges';
import { Limits } from './Limits';
import { Scenes } from './Scenes';
import { TestCredentials } from './TestCredentials';

function isAltered({ faults, settings }: Pick<State, 'faults' | 'settings'>): boolean {
	const { limits, pathPrefix } = settings;
	return faults.length > 0 || limits.push !== defaultLimits.push || pathPrefix !== '';
}

/** Shows and changes how the service behaves, to test a workflow against it. */
export function Panel({ state: { gauges, faults, settings, lastChange } }: { state: State }) {
	return (
		<aside class="panel" aria-label="Limits and faults" tabIndex={0}>
			<Faults {...{ faults, lastChange }} />
			<Scenes isAltered={isAltered({ faults, settings })} />
			<Gauges gauges={gauges} />
			<Limits {...{ settings, lastChange }} />
			<TestCredentials />
		</aside>
	);
}
