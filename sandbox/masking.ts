import type { IncomingHttpHeaders } from 'node:http';

const secretName = /key|token|secret|auth|cookie/i;

/** Headers as they may be shown: enough of a secret to recognize it, never enough to use it. */
export function maskHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [
			name,
			secretName.test(name) ? maskSecret(String(value)) : value,
		]),
	);
}

function maskSecret(value: string): string {
	const [, scheme = '', secret = ''] = /^(Bearer |Basic )?(.*)$/is.exec(value) ?? [];
	return `${scheme}${secret.length >= 8 ? secret.slice(0, 4) : ''}…`;
}
