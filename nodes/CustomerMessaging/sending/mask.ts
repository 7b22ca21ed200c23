import type { Reply } from '../shared/reply';

/** Anything shorter is no secret, and stands in many an answer by chance. */
const SHORTEST_SECRET = 8;

/** The reply without the credential's secret, should the service or a proxy repeat it. */
export function withoutSecret(reply: Reply, secret: string): Reply {
	if (reply.kind !== 'answer' || secret.length < SHORTEST_SECRET) return reply;
	const text = JSON.stringify(reply.body);
	const written = JSON.stringify(secret).slice(1, -1);
	return text.includes(written) ? { ...reply, body: JSON.parse(text.replaceAll(written, '…')) } : reply;
}
