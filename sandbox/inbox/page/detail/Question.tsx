import { questionLink } from '../../questionLink';

/** Opens the page on which a question is answered, as a tap on the message would. */
export function Question({ body }: { body: unknown }) {
	const link = questionLink(body);
	if (link === undefined) return null;
	return (
		<p class="asks">
			<a href={link} target="_blank" rel="noreferrer">
				Open the question
			</a>{' '}
			in the n8n on this machine, as its recipient would.
		</p>
	);
}
