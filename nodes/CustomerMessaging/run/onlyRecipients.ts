import { readPhone } from '../fields/phone';
import { email } from '../fields/email';
import { withoutInvisible } from '../fields/text';
import { type Field, userOnly } from '../fields/field';

const address = email('Email', userOnly).schema;

/** An address, or `@` and a domain, as it is sent, in small letters; empty for any other entry. */
function asSent(entry: string): string {
	if (entry.startsWith('@')) return asSent(`x${entry}`).slice(1);
	return (address.safeParse(entry).data ?? '').toLowerCase();
}

/** An expression may give a number. */
function entryText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number'
		? withoutInvisible(String(value))
		: '';
}

/** A phone number in E.164; empty for any other entry. */
function asMobile(entry: string): string {
	const read = readPhone(entry);
	return 'number' in read ? read.number : '';
}

/** The only people whom the credential lets messages reach. */
export class OnlyRecipients {
	private readonly ids: ReadonlySet<string>;
	/** Made on first use, because a run needs only one kind. */
	private emails?: ReadonlySet<string>;
	private mobiles?: ReadonlySet<string>;

	/**
	 * @param list user IDs, subscription IDs, email addresses, domains such as `@example.com`, and phone numbers
	 * @param more further entries, one by one
	 */
	constructor(list: unknown, more: readonly unknown[] = []) {
		const entries = [...entryText(list).split(/[\r\n,]/), ...more.map(entryText)];
		this.ids = new Set(entries.map((entry) => entry.trim()).filter(Boolean));
	}

	/**
	 * @param value the recipient as it is sent
	 * @param kind what the field of the recipient holds; without it, an ID
	 */
	allows(value: unknown, kind: Pick<Field, 'holdsAddresses' | 'holdsNumber'> = {}): boolean {
		const recipient = String(value);
		if (kind.holdsNumber) {
			this.mobiles ??= new Set([...this.ids].map(asMobile));
			return this.mobiles.has(recipient);
		}
		if (!kind.holdsAddresses) return this.ids.has(recipient);
		this.emails ??= new Set([...this.ids].map(asSent));
		const sent = recipient.toLowerCase();
		return this.emails.has(sent) || this.emails.has(sent.slice(sent.lastIndexOf('@')));
	}
}
