import { ZodError } from 'zod';

/** Explains in one sentence, for the terminal, why the sandbox could not start. */
export function whyNotStarted(error: unknown): string {
	if (error instanceof ZodError) {
		const [issue] = error.issues;
		return `The option ${issue?.path.join('.')} makes no sense: ${issue?.message}.`;
	}
	if (!(error instanceof Error)) return String(error);
	if (!('code' in error)) return error.message;

	const port = 'port' in error ? String(error.port) : '';
	if (error.code === 'EADDRINUSE') {
		return `Port ${port} is taken by another program: stop that one, or choose another with --port.`;
	}
	if (error.code === 'EACCES') {
		return `Port ${port} may not be used by this account: choose one above 1023 with --port.`;
	}
	return error.message;
}
