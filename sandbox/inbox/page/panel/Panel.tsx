import { defaultLimits, type Gauge } from '../../../limiter';
import type { State } from '../../stream';
import { channelNames, counted, credentialName } from '../words';
import { Faults } from './Faults';
import { Scenes } from './Scenes';

/** Shows and changes how the service behaves, to test a workflow against it. */
export function Panel({ state: { gauges, faults } }: { state: State }) {
	const isLimited = gauges.some(({ api, limit }) => api === 'push' && limit !== defaultLimits.push);
	return (
		<aside class="panel" aria-label="Faults and scenes" tabIndex={0}>
			<Faults faults={faults} />
			<Scenes isAltered={faults.length > 0 || isLimited} />
			<Gauges gauges={gauges.filter(({ used, refused }) => used > 0 || refused > 0)} />
		</aside>
	);
}

/** What is left of the limits that are in use. */
function Gauges({ gauges }: { gauges: Gauge[] }) {
	return (
		<section aria-labelledby="gauges-title">
			<h2 id="gauges-title">Requests left</h2>
			{gauges.length === 0 && <p class="muted">Nothing is used.</p>}
			<ul class="gauges">
				{gauges.map(({ identity, api, remaining, limit, refused, msToNextWindow }) => (
					<li key={`${identity} ${api}`}>
						{channelNames[api]}: <strong>{remaining.toLocaleString()}</strong> of{' '}
						{limit.toLocaleString()} for {Math.ceil(msToNextWindow / 1000)} s
						<small>
							{credentialName(identity)}
							{refused > 0 && `, ${counted(refused, 'request')} refused (429)`}
						</small>
					</li>
				))}
			</ul>
		</section>
	);
}
