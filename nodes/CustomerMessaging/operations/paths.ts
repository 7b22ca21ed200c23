import { convertedFrom } from '../fields/convert';
import { audienceKeys } from '../fields/field';
import { trimmedText } from '../fields/text';
import { channelNames, channels } from './channels';
import type { Operation } from './operation';

/** Whether a path leads where it seems to, and not to another host. It may have a query. */
export function isPlainPath(path: string): boolean {
	return /^\/[\w.~/?&=-]{0,2000}$/.test(path) && !/\.\.|\/\.|\/\//.test(path);
}

/** What a path and its query consist of. */
export function partsOf(path: string): string[] {
	return path.split(/[/?&=.]/);
}

/** Returns a function that says whether a path has one of these parts, in whatever letters. */
function havingOneOf(parts: readonly string[]) {
	return (path: string) => partsOf(path).some((part) => parts.includes(part.toLowerCase()));
}

/** The last parts of the paths of the channels' operations of a kind. */
function lastParts(isOfKind: (operation: Operation) => boolean): string[] {
	return channels
		.flatMap(({ operations }) => operations.filter(isOfKind))
		.flatMap(({ path = '' }) => partsOf(path.toLowerCase()).filter(Boolean).slice(-1));
}

/** Whether an operation can also send to all of a campaign. */
export function reachesCampaign({ fields }: Operation): boolean {
	return audienceKeys(fields.recipients).length > 0;
}

/** Whether a path is, or seems to be, that of a message to one person. */
export const isPathToPerson = havingOneOf(lastParts(({ isBroadcast }) => !isBroadcast));
/** Whether a message to a campaign may take this path. */
export const isPathToCampaign = havingOneOf(lastParts(reachesCampaign));
/** A test sees to it that every path of a broadcast has this part. */
const isPathOfBroadcast = havingOneOf(['broadcast']);

/** Whether a path could get past the guards of broadcasts and campaigns. */
export function isGuarded(path: string): boolean {
	return isPathOfBroadcast(path) || isPathToCampaign(path);
}

/**
 * Returns a schema for a path that the user enters. It must not lead to another host. Only a path that is
 * asked for as that of a broadcast may lead to one, because When Run by Hand and Max Broadcasts guard only
 * the operations for broadcasts.
 */
export function checkedPath(label: string, isForBroadcast = false) {
	return convertedFrom(trimmedText(label), (path, context) => {
		const isBroadcast = isPathOfBroadcast(path);
		if (!isPlainPath(path))
			context.addIssue(
				`${label} must begin with one slash and hold only letters, digits and - . _ ~ / ? & =, without '..', '/.' and '//', such as /api/v1/event/track`,
			);
		else if (isBroadcast && !isForBroadcast)
			context.addIssue(
				`${label} leads to a broadcast, which would get past its guards. Use an operation of ${channelNames()} instead. If this is the path of a report, use n8n's HTTP Request node with a credential of its own`,
			);
		else if (isForBroadcast && !isBroadcast)
			context.addIssue(
				`${label} does not look like the path of a broadcast, such as /api/v1/web/broadcast/all`,
			);
		return path;
	});
}
