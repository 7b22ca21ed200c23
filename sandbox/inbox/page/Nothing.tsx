interface Props {
	isFiltered: boolean;
	isTimeLine: boolean;
	onClear: () => void;
}

/** Takes the place of an empty list. */
export function Nothing({ isFiltered, isTimeLine, onClear }: Props) {
	return (
		<div class="nothing">
			<p>
				{isFiltered
					? 'Nothing matches.'
					: isTimeLine
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
