import { labelsOf } from '../fields/field';
import { hostNames } from '../operations/operation';
import { senders } from '../operations/senderFields';
import type { Run, UnusableRun } from '../run/resolveRun';
import { guardForm } from '../run/guards';
import { optionsForm } from '../run/options';
import { runParameters } from '../run/runParameters';
import { sendOnceForm } from '../run/sendOnce';
import { apiNames, apis } from '../shared/apis';

/** The labels of the credential's fields, by their names. */
const ofCredential: Readonly<Record<string, string>> = {
	...hostNames,
	brandId: 'Brand ID',
	apiKey: 'API Key',
	accessToken: 'Access Token',
	credential: 'Credential',
	segments: 'Segments',
	defaultSenders: 'Default Senders',
	...Object.fromEntries(
		Object.values(senders).flatMap((fields) =>
			Object.values(fields).map(({ name, inCredential }) => [name, inCredential.form.displayName]),
		),
	),
	...Object.fromEntries(apis.map((api) => [`${api}Limit`, `${apiNames[api]} Limit`])),
	campaignDateFormat: 'Campaign Date Format',
	campaignTimeFormat: 'Campaign Time Format',
	pushDateFormat: 'Push Date Format',
	pushTimeFormat: 'Push Time Format',
	eventTimeFormat: 'Event Time Format',
	scheduleZone: 'Schedule Zone',
	eventPath: 'Event Path',
	execution: 'Execution',
};

const ofEveryRun = labelsOf([...runParameters, ...guardForm, ...sendOnceForm, optionsForm]);

/**
 * Returns the label that the editor shows for a field of a run, which may be a field of its credential.
 * A column of the input has no label, so its name is returned.
 */
export function labelReader({ operation }: Pick<Run | UnusableRun, 'operation'>) {
	const labels: Readonly<Record<string, string>> = {
		...ofCredential,
		...ofEveryRun,
		...labelsOf(operation?.form ?? []),
	};
	return (field: string): string => (Object.hasOwn(labels, field) && labels[field]) || field;
}
