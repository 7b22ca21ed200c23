import { Component, type ComponentChildren } from 'preact';

interface Props {
	/** Shown in place of the children if one of them fails. */
	fallback: (error: Error) => ComponentChildren;
	children: ComponentChildren;
}

/** Limits a failure to its own part of the page. */
export class ErrorBoundary extends Component<Props, { error?: Error }> {
	static override getDerivedStateFromError(error: Error) {
		return { error };
	}

	override render({ fallback, children }: Props, { error }: { error?: Error }) {
		return error ? fallback(error) : children;
	}
}
