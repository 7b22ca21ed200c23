const mostShown = 2000;

/** What somebody else wrote, in a line of its own: its direction stays inside, and its length has an end. */
export function Text({ of }: { of: string }) {
	return (
		<bdi dir="auto">
			{of.slice(0, mostShown)}
			{of.length > mostShown && (
				<span class="cut">… {of.length.toLocaleString()} characters in all</span>
			)}
		</bdi>
	);
}
