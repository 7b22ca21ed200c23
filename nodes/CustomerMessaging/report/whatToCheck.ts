import type { Fields } from '../fields/field';
import { type Host, hostNames, type Operation } from '../operations/operation';

interface Refused {
	operation?: Operation;
	/** Absent if no host has been determined yet. */
	target?: { host: Host };
}

/**
 * Lists what to check when the service refuses a request of this operation (spec §7, 400), by the names
 * in the editor.
 *
 * @param batchSize how many rows the request held, if that is known
 */
export function listWhatToCheck({ operation, target }: Refused, batchSize?: number): string {
	if (!operation) return '';
	const { required, recipients, sender = {}, optional } = operation.fields;
	return [
		...(operation.path ? [] : ['Path and Body', 'Host']),
		...(recipients ? ['Recipient By and its field'] : []),
		...labelAccountFields({ ...required, ...optional }),
		...labelAccountFields(sender).map(
			(label) => `${label}, here or under Default Senders in the credential`,
		),
		...(operation.batchKey && batchSize !== 1 ? ['Batch Size under Options'] : []),
		...(operation.schedule ? ['Custom Schedule Format and Schedule Zone in the credential'] : []),
		...(operation.isPathOfAccount ? ['Custom Paths in the credential'] : []),
		...(target ? [`${hostNames[target.host]} in the credential`] : []),
	].join('; ');
}

/** Says where the address of a request comes from: `Check the 'Push API URL' and 'Custom Paths' in the credential`. */
export function checkAddress({ operation, target }: Refused): string {
	const host = target ? `the '${hostNames[target.host]}'` : 'the address';
	const paths = operation?.isPathOfAccount ? " and 'Custom Paths'" : '';
	const here = operation && !operation.path ? "'Path' and 'Host', and " : '';
	return `Check ${here}${host}${paths} in the credential`;
}

function labelAccountFields(fields: Fields): string[] {
	return Object.values(fields)
		.filter(({ dependsOnAccount }) => dependsOnAccount)
		.map(({ form }) => form.displayName);
}
