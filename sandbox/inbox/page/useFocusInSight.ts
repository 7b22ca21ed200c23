import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** If a change of place hides the column that has the focus, moves the focus to the one that is shown instead. */
export function useFocusInSight(
	columns: RefObject<HTMLElement | null>,
	place: string,
	target: string,
): void {
	useLayoutEffect(() => {
		const { activeElement } = document;
		const isHidden = activeElement?.getClientRects().length === 0;
		if (isHidden) columns.current?.querySelector<HTMLElement>(target)?.focus();
	}, [place]);
}
