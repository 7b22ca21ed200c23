import { useState } from 'preact/hooks';
import type { Gauge } from '../../../limiter';
import { apiNames, counted, credentialName } from '../words';

/** Requests left in this window, for one credential. */
export function Gauges({ gauges }: { gauges: Gauge[] }) {
	const identities = [...new Set(gauges.map(({ identity }) => identity))];
	const [chosen, setChosen] = useState<string>();
	// Until the user chooses, the one that was used.
	const busy = gauges.find(({ used, refused }) => used > 0 || refused > 0)?.identity;
	const identity = chosen ?? busy ?? identities[0];
	return (
		<section aria-labelledby="gauges-title">
			<h2 id="gauges-title">Requests left</h2>
			{identities.length > 1 && (
				<select
					aria-label="Credential"
					value={identity}
					onChange={({ currentTarget }) => setChosen(currentTarget.value)}
				>
					{identities.map((name) => (
						<option key={name} value={name}>
							{credentialName(name)}
						</option>
					))}
				</select>
			)}
			<ul class="gauges">
				{gauges
					.filter((gauge) => gauge.identity === identity)
					.map((gauge) => (
						<GaugeLine key={gauge.api} gauge={gauge} />
					))}
			</ul>
		</section>
	);
}

function GaugeLine({
	gauge: { api, limit, used, remaining, refused, msToNextWindow },
}: {
	gauge: Gauge;
}) {
	const name = apiNames[api];
	const seconds = Math.ceil(msToNextWindow / 1000);
	return (
		<li class={`gauge${used > 0 || refused > 0 ? ' is-used' : ''}`}>
			<span class="gauge-name">{name}</span>
			<span class="gauge-left">
				<strong>{remaining.toLocaleString()}</strong> of {limit.toLocaleString()} left
			</span>
			<meter
				aria-label={`Requests left, ${name}`}
				min={0}
				max={Math.max(1, limit)}
				low={limit * 0.15}
				optimum={limit}
				value={remaining}
			/>
			<span class={refused > 0 ? 'gauge-refused is-any' : 'gauge-refused'}>
				{refused > 0 ? `${counted(refused, 'request')} refused (429)` : 'none refused'}
			</span>
			<span class="gauge-next">{used > 0 ? `next window in ${seconds} s` : 'nothing used'}</span>
		</li>
	);
}
