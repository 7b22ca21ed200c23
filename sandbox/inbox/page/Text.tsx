const maxShown = 2000;

/** Text from a message. Its writing direction does not affect its surroundings, and its length is limited. */
export function Text({ of }: { of: string }) {
	return (
		<bdi dir="auto">
			{of.slice(0, maxShown)}
			{of.length > maxShown && (
				<span class="cut">… {of.length.toLocaleString()} characters in all</span>
			)}
		</bdi>
	);
}
