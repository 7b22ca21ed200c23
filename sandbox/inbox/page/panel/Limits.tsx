import type { ShownSettings } from '../../../settings';
import { apis, type Api } from '../../../terms';
import type { Window } from '../../../windowLog';
import { withPatch } from '../../../withPatch';
import type { State } from '../../stream';
import { Choice } from '../Choice';
import { changeSettings } from '../requests';
import { useConfirmed } from '../useConfirmed';
import { apiNames } from '../words';
import { NumberField } from './NumberField';

const windows: Record<Window['kind'], string> = {
	clockMinute: 'Windows begin by the clock',
	firstRequest: 'A window begins with the first request',
	sliding: 'The window slides',
};

const maxWindowSeconds = 24 * 60 * 60;

const server = { apply: withPatch<ShownSettings>, send: changeSettings };

/** The service's limits, which can be changed while it runs. */
export function Limits({ settings, lastChange }: Pick<State, 'settings' | 'lastChange'>) {
	const { shown, attempt: set, reason } = useConfirmed({ value: settings, lastChange }, server);
	const { limits, window, latencyMs, sendRateLimitHeader, pathPrefix } = shown;
	return (
		<section aria-labelledby="limits-title">
			<h2 id="limits-title">Limits</h2>
			<div class="fields">
				{apis.map((api: Api) => (
					<NumberField
						key={api}
						label={apiNames[api]}
						min={0}
						value={limits[api]}
						onChange={(value) => set({ limits: { [api]: value } })}
					/>
				))}
				<NumberField
					label="Window (seconds)"
					min={1}
					max={maxWindowSeconds}
					value={window.lengthMs / 1000}
					onChange={(seconds) => set({ window: { lengthMs: seconds * 1000 } })}
				/>
				<NumberField
					label="Latency (ms)"
					min={0}
					value={typeof latencyMs === 'number' ? latencyMs : latencyMs[1]}
					onChange={(value) => set({ latencyMs: value })}
				/>
			</div>
			<Choice
				label="Kind of window"
				value={window.kind}
				options={windows}
				onChoose={(kind) => kind && set({ window: { kind } })}
			/>
			<label class="check">
				<input
					type="checkbox"
					checked={sendRateLimitHeader}
					onChange={({ currentTarget }) => set({ sendRateLimitHeader: currentTarget.checked })}
				/>
				Responses say how many requests are left
			</label>
			<label class="check">
				<input
					type="checkbox"
					checked={pathPrefix !== ''}
					onChange={({ currentTarget }) => set({ pathPrefix: currentTarget.checked ? '/eu1' : '' })}
				/>
				Paths begin with {pathPrefix || '/eu1'}, before /api/v1
			</label>
			<p class="problem" role="alert">
				{reason}
			</p>
		</section>
	);
}
