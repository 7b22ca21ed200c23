import type { ListedFault } from '../../faults';

/** Says until when the service is down. The sandbox no longer lists a fault that has ended. */
export function Outage({ faults }: { faults: readonly ListedFault[] }) {
	const ends = faults.flatMap(({ match, endsAtMs }) => (match ? [] : (endsAtMs ?? [])));
	return (
		<p class="outage" role="status">
			{ends.length > 0 &&
				`The service is down until ${new Date(Math.max(...ends)).toLocaleTimeString()}. n8n pauses meanwhile, and asks by empty requests whether it is back.`}
		</p>
	);
}
