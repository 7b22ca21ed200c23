import { useState } from 'preact/hooks';
import { Icon } from '../Icon';
import type { Example } from '../../../examples';
import type { Access } from '../../../introduction';
import { endScene, exampleOf, play, scenes, type Scene } from '../scenes';
import { useAccess } from '../useAccess';
import { useAttempt } from '../useAttempt';

/**
 * One click plays a scene. Below it is what a good workflow does then.
 *
 * @param isAltered whether a scene, or something else, has changed how the service answers
 */
export function Scenes({ isAltered }: { isAltered: boolean }) {
	const access = useAccess();
	const [playing, setPlaying] = useState<Scene>();
	const { attempt, reason } = useAttempt();
	if (!access) return null;
	const hasN8n = access.editor !== undefined;
	const playable = scenes.filter(({ fault, pushLimit }) => hasN8n || fault || pushLimit);

	const playScene = (scene: Scene) => {
		setPlaying(scene);
		attempt(play(scene, hasN8n));
	};
	const goBack = () => {
		setPlaying(undefined);
		attempt(endScene());
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
							onClick={() => playScene(scene)}
						>
							<Icon name="play" />
							{scene.name}
						</button>
						{hasN8n && <p class="muted">{scene.expected}</p>}
						{scene === playing && <OpenInN8n access={access} example={exampleOf(scene)} />}
					</li>
				))}
			</ul>
			{isAltered && (
				<button type="button" class="quiet" onClick={goBack}>
					Back to normal
				</button>
			)}
			<p class="problem" role="alert">
				{reason}
			</p>
		</section>
	);
}

/** Leads to the workflow and its executions, of which n8n shows the newest. */
function OpenInN8n({ access, example }: { access: Access; example: Example }) {
	const workflow = access.workflows?.[example];
	if (access.editor === undefined || workflow === undefined) return null;
	return (
		<a href={`${access.editor}/workflow/${workflow}/executions`} target="_blank" rel="noreferrer">
			Open in n8n
		</a>
	);
}
