import { collectLabels } from '../fields/field';
import { credentialForm } from '../run/credentialFields';
import { guardForm } from '../run/guards';
import { optionsForm } from '../run/options';
import type { Run, UnusableRun } from '../run/resolveRun';
import { runParameters } from '../run/runParameters';
import { sendOnceForm } from '../run/sendOnce';

/** The labels of the credential's fields by name, and names for what a problem may concern besides. */
const ofCredential: Readonly<Record<string, string>> = {
	...collectLabels(credentialForm('apiKey')),
	...collectLabels(credentialForm('partnerToken')),
	credential: 'Credential',
	execution: 'Execution',
	node: 'Node',
	answerUrl: 'Link',
};

const ofEveryRun = collectLabels([...runParameters, ...guardForm, ...sendOnceForm, optionsForm]);

/**
 * Returns the label that the editor shows for a field of a run, which may be a field of its credential.
 * A column of the input has no label, so its name is returned.
 */
export function labelReader({ operation }: Pick<Run | UnusableRun, 'operation'>) {
	const labels: Readonly<Record<string, string>> = {
		...ofCredential,
		...ofEveryRun,
		...collectLabels(operation?.form ?? []),
	};
	return (field: string): string => (Object.hasOwn(labels, field) && labels[field]) || field;
}
