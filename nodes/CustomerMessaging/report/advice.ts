import type { Fields } from '../fields/field';
import { type Host, hostNames, type Operation } from '../operations/operation';

interface Refused {
	operation?: Operation;
	/** Absent if no host has been determined yet. */
	target?: { host: Host };
}

/** Fields whose valid values depend on the account and are not given in the service's reference. */
const ofTheAccount = ['serviceproviderID', 'segment_id'];

/**
 * Lists what to check when the service refuses a request of this operation (spec §7, 400 and 404), by
 * the names in the editor.
 */
export function worthChecking({ operation, target }: Refused): string {
	if (!operation) return '';
	const { required, recipients, sender = {}, optional } = operation.fields;
	const fields = labelsOf({ ...required, ...optional });
	const ofSender = labelsOf(sender);
	return [
		...(operation.path ? [] : ['Path and Body', 'Host']),
		...(recipients ? ['Recipient By and its field'] : []),
		...fields,
		...ofSender.map((label) => `${label}, here or under Default Senders in the credential`),
		...(operation.batchKey ? ['Batch Size under Options'] : []),
		...(operation.schedule ? ['Custom Schedule Format and Schedule Zone in the credential'] : []),
		...(operation.isPathOfAccount ? ['Custom Paths in the credential'] : []),
		...(target ? [`${hostNames[target.host]} in the credential`] : []),
	].join('; ');
}

function labelsOf(fields: Fields): string[] {
	return Object.entries(fields)
		.filter(([key]) => ofTheAccount.includes(key))
		.map(([, { form }]) => form.displayName);
}
