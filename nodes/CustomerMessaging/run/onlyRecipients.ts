import { email } from '../fields/email';
import { type Field, userOnly } from '../fields/field';
import { readPhone } from '../fields/mobile';
import { withoutInvisible } from '../fields/text';

const address = email('Email', userOnly).schema;

/** An entry in the form in which recipients of a kind are compared; empty if it is of another kind. */
const normalize = {
	id: (entry: string) => entry,
	/** `@` and a domain stand for all of its addresses. */
	address: (entry: string): string =>
		entry.startsWith('@')
			? normalize.address(`x${entry}`).slice(1)
			: (address.safeParse(entry).data ?? '').toLowerCase(),
	number: (entry: string): string => {
		const read = readPhone(entry);
		return 'number' in read ? read.number : '';
	},
};

/** An expression may give a number. */
function entryText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number'
		? withoutInvisible(String(value))
		: '';
}

/** The people whom the credential allows messages to reach. */
export class OnlyRecipients {
	private readonly entries: readonly string[];
	/** Made on first use, because a run needs only one kind. */
	private readonly sets: Partial<Record<keyof typeof normalize, ReadonlySet<string>>> = {};

	/**
	 * @param list user IDs, subscription IDs, email addresses, domains such as `@example.com`, and phone numbers
	 * @param more further entries, one by one
	 */
	constructor(list: unknown, more: readonly unknown[] = []) {
		const entries = [...entryText(list).split(/[\r\n,]/), ...more.map(entryText)];
		this.entries = entries.map((entry) => entry.trim()).filter(Boolean);
	}

	/**
	 * @param value the recipient as it is sent
	 * @param field the field of the recipient; by default, an ID
	 */
	allows(value: unknown, field: Pick<Field, 'holdsAddresses' | 'holdsNumber'> = {}): boolean {
		const ofAddress = field.holdsAddresses ? 'address' : 'id';
		const kind = field.holdsNumber ? 'number' : ofAddress;
		const allowed = (this.sets[kind] ??= new Set(this.entries.map(normalize[kind])));
		const sent = kind === 'address' ? String(value).toLowerCase() : String(value);
		const domain = sent.slice(Math.max(0, sent.lastIndexOf('@')));
		return allowed.has(sent) || (kind === 'address' && allowed.has(domain));
	}
}
