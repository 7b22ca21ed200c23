import type { Declaration, Field, Form } from './field';

/** Only the user may fill in what decides whom a message reaches, except for a single recipient. */
type SafeDeclaration =
	| { reaches: 'recipient' | 'nobody'; modelMayFill: boolean }
	| { reaches: 'audience' | 'fewer' | 'others'; modelMayFill: false };

/** What a field declares in addition to its label. */
export type FieldConfig = Partial<Form> & SafeDeclaration;

/** The form and the declaration of a field. */
export function fieldForm(
	displayName: string,
	type: Form['type'],
	initial: Form['default'],
	{ reaches, modelMayFill, ...config }: FieldConfig,
): Pick<Field, 'form' | keyof Declaration> {
	return { form: { displayName, type, default: initial, ...config }, reaches, modelMayFill };
}
