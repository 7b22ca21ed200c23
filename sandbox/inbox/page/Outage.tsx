import type { ListedFault } from '../../faults';

/** Says until when the service fails. The sandbox no longer lists a fault that has ended. */
export function Outage({ faults }: { faults: readonly ListedFault[] }) {
	const lasting = faults.filter(({ match, endsAtMs }) => !match && endsAtMs !== undefined);
	const last = lasting.toSorted((a, b) => (a.endsAtMs ?? 0) - (b.endsAtMs ?? 0)).at(-1);
	return (
		<p class="outage" role="status">
			{last && sentenceOn(last)}
		</p>
	);
}

function sentenceOn({ endsAtMs = 0, ...fault }: ListedFault): string {
	const until = new Date(endsAtMs).toLocaleTimeString();
	return 'status' in fault && fault.status === 401
		? `Every key is refused until ${until}.`
		: `The service is down until ${until}. n8n pauses meanwhile, and asks by empty requests whether it is back.`;
}
