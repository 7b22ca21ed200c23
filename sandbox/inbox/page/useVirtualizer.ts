import {
	defaultRangeExtractor,
	elementScroll,
	observeElementOffset,
	observeElementRect,
	Virtualizer,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

interface Options {
	count: number;
	rowHeight: number;
	/** Stays in the document wherever the list is scrolled to; -1 for none. */
	activeIndex: number;
}

/** TanStack's virtual list in a component: only the rows in sight are in the document. */
export function useVirtualizer(
	list: RefObject<HTMLElement | null>,
	{ count, rowHeight, activeIndex }: Options,
) {
	const [, render] = useReducer((turn: number) => turn + 1, 0);
	const options = {
		count,
		overscan: 6,
		getScrollElement: () => list.current,
		estimateSize: () => rowHeight,
		scrollToFn: elementScroll,
		observeElementRect,
		observeElementOffset,
		onChange: () => render(undefined),
		rangeExtractor: (range: Parameters<typeof defaultRangeExtractor>[0]) => {
			const inSight = defaultRangeExtractor(range);
			return activeIndex < 0 || inSight.includes(activeIndex)
				? inSight
				: [activeIndex, ...inSight].sort((a, b) => a - b);
		},
	};
	const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
	virtualizer.setOptions(options);
	useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
	useLayoutEffect(() => virtualizer._willUpdate());
	return virtualizer;
}
