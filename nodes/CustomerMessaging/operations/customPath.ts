/**
 * Checks a path that the user enters, such as that of a custom request. It must not lead to another host, and
 * not to a broadcast, because When Run by Hand and Max Broadcasts guard only the operations for broadcasts.
 *
 * @returns what is wrong and how to fix it, or undefined for a valid path
 */
export function pathProblem(path: string, label = 'Path'): string | undefined {
	if (!isPlain(path)) return `${label} ${notPlain}`;
	return isBroadcast(path) ? `${label} ${leadsToBroadcast}` : undefined;
}

/** Checks the path of an operation for a broadcast. A custom request to it must be refused. */
export function broadcastPathProblem(path: string, label: string): string | undefined {
	if (!isPlain(path)) return `${label} ${notPlain}`;
	return isBroadcast(path) ? undefined : `${label} ${noBroadcast}`;
}

const notPlain =
	"must begin with one slash and hold only letters, digits and - . _ ~ / ? & =, without '..', '/.' and '//', such as /api/v1/event/track";
const noBroadcast = 'does not look like the path of a broadcast, such as /api/v1/web/broadcast/all';
const leadsToBroadcast =
	"leads to a broadcast, which would get past its guards. Use an operation of Push, Email or SMS instead, or n8n's HTTP Request node if this is the path of a report";

function isPlain(path: string): boolean {
	return /^\/[\w.~/?&=-]{0,2000}$/.test(path) && !/\.\.|\/\.|\/\//.test(path);
}

function isBroadcast(path: string): boolean {
	return path.split(/[/?&=.]/).some((segment) => segment.toLowerCase() === 'broadcast');
}
