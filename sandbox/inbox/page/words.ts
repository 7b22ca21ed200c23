import type { Outcome } from '../../arrivals';
import type { Fault } from '../../faults';
import { nameSegment } from '../../identities';
import { messageNames, type Channel, type Platform } from '../../terms';
import type { Audience, Row } from '../row';

export const channelNames: Record<Channel, string> = {
	...messageNames,
	user: 'Users',
	event: 'Events',
	campaign: 'Campaign',
	reporting: 'Report',
};

export const platformNames: Record<Platform, string> = {
	web: 'Web',
	android: 'Android',
	ios: 'iOS',
};

export const audienceNames: Record<Audience, string> = {
	person: 'One person',
	segment: 'A segment',
	everyone: 'Everyone',
};

export const faultNames: Record<Fault['kind'], string> = {
	resetBeforeAccept: 'The connection breaks before the request arrives',
	resetAfterAccept: 'The request is accepted, then the connection breaks',
	status: 'The response is an error',
	statusAfterAccept: 'The request is accepted, but the response is an error',
	hang: 'No response ever comes',
	html: 'The response is a web page instead of JSON',
	saysFailed: 'The response says 200, but that it failed',
	redirect: 'The response redirects to another address',
	delay: 'The response comes late',
};

export const outcomeNames: Record<Outcome, string> = {
	accepted: 'Accepted',
	rejected: 'Rejected',
	unauthorized: 'Unauthorized',
	notFound: 'Not found',
	tooLarge: 'Too large',
	rateLimited: 'Rate limited',
	'fault:resetBeforeAccept': 'Fault: connection broken',
	'fault:resetAfterAccept': 'Fault: accepted, connection broken',
	'fault:status': 'Fault: error',
	'fault:statusAfterAccept': 'Fault: accepted, error',
	'fault:hang': 'Fault: no response',
	'fault:html': 'Fault: web page',
	'fault:saysFailed': 'Fault: says it failed',
	'fault:redirect': 'Fault: redirect',
	'fault:delay': 'Fault: late',
};

/** What a caller showed, which the sandbox calls `brand:<id>` or `token:<number>`. */
export function credentialName(identity: string): string {
	return identity.replace(/^brand:/, 'API key of ').replace(/^token:/, 'Access token ');
}

export type Tone = 'good' | 'bad' | 'warn';

type Judged = Pick<Row, 'outcome' | 'accepted' | 'check'>;

/** The service checks the credential first. If it rejects an empty request, it has accepted the credential. */
const isPassed = ({ outcome, check }: Judged) => !!check && outcome === 'rejected';

export function describeOutcome(row: Judged): string {
	if (!isPassed(row)) return outcomeNames[row.outcome];
	return row.check === 'credential' ? 'Credential accepted' : 'It answers';
}

export function chooseTone(row: Judged): Tone {
	const { outcome, accepted } = row;
	if (outcome === 'accepted' || isPassed(row)) return 'good';
	return outcome === 'rateLimited' || accepted ? 'warn' : 'bad';
}

export function describeKind({ channel, platform }: Pick<Row, 'channel' | 'platform'>): string {
	const name = channel ? channelNames[channel] : 'Unknown';
	return platform ? `${name} · ${platformNames[platform]}` : name;
}

export function describeRecipient({ audience, to }: Pick<Row, 'audience' | 'to'>): string {
	if (audience === 'everyone') return 'Everyone';
	if (audience === 'segment') return nameSegment(to) ?? `Segment ${to || '?'}`;
	return to;
}

export function counted(count: number, one: string, many = `${one}s`): string {
	return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}
