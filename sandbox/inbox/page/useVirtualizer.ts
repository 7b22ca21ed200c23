import { defaultRangeExtractor, useVirtualizer as useTanStack } from '@tanstack/react-virtual';
import type { RefObject } from 'preact';

interface Options {
	count: number;
	rowHeight: number;
	/** This row stays in the document wherever the list is scrolled to. -1 for none. */
	activeIndex: number;
}

/** TanStack's virtual list: only the visible rows are in the document. */
export function useVirtualizer(
	list: RefObject<HTMLElement | null>,
	{ count, rowHeight, activeIndex }: Options,
) {
	return useTanStack<HTMLElement, HTMLElement>({
		count,
		overscan: 6,
		getScrollElement: () => list.current,
		estimateSize: () => rowHeight,
		rangeExtractor: (range) => {
			const visible = defaultRangeExtractor(range);
			return activeIndex < 0 || visible.includes(activeIndex)
				? visible
				: [activeIndex, ...visible].sort((a, b) => a - b);
		},
	});
}
