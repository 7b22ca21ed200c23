import { useState } from 'preact/hooks';
import { Icon } from '../Icon';
import { endScene, play, scenes, type Scene } from '../scenes';
import { useAccess } from '../useAccess';

/**
 * One click plays a scene. Below it is what a good workflow does then.
 *
 * @param isAltered whether a scene, or something else, has changed how the service answers
 */
export function Scenes({ isAltered }: { isAltered: boolean }) {
	const access = useAccess();
	const [playing, setPlaying] = useState<Scene>();
	const [reason, setReason] = useState('');
	if (!access) return null;
	const hasN8n = access.editor !== undefined;
	const playable = scenes.filter(({ fault, pushLimit }) => hasN8n || fault || pushLimit);

	const attempt = (change: Promise<void>, scene?: Scene) => {
		setReason('');
		setPlaying(scene);
		change.catch((error: Error) => setReason(error.message));
	};
	return (
		<section aria-labelledby="scenes-title">
			<h2 id="scenes-title">Scenes</h2>
			<p class="muted">
				{hasN8n
					? 'Each sends sample rows through n8n. Below it: what the workflow should do.'
					: 'Each changes how the service answers. Run your workflow then.'}
			</p>
			<ul class="scenes">
				{playable.map((scene) => (
					<li key={scene.name}>
						<button
							type="button"
							class="quiet"
							aria-pressed={scene === playing}
							onClick={() => attempt(play(scene, hasN8n), scene)}
						>
							<Icon name="play" />
							{scene.name}
						</button>
						{hasN8n && <p class="muted">{scene.expected}</p>}
					</li>
				))}
			</ul>
			{isAltered && (
				<button type="button" class="quiet" onClick={() => attempt(endScene())}>
					Back to normal
				</button>
			)}
			<p class="problem" role="alert">
				{reason}
			</p>
		</section>
	);
}
