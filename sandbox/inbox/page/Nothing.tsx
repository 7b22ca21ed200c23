interface Props {
	isFiltered: boolean;
	isScheduled: boolean;
	onClear: () => void;
}

/** Takes the place of an empty list. */
export function Nothing({ isFiltered, isScheduled, onClear }: Props) {
	return (
		<div class="nothing">
			<p>
				{isFiltered
					? 'Nothing matches.'
					: isScheduled
						? 'Nothing is scheduled.'
						: 'Nothing has arrived yet.'}
			</p>
			{isFiltered && (
				<button type="button" class="quiet" onClick={onClear}>
					Clear search and filters
				</button>
			)}
		</div>
	);
}
