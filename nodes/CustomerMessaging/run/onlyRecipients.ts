import { toE164 } from '../fields/phone';
import { email } from '../fields/email';
import { withoutInvisible } from '../fields/text';
import { userOnly } from '../fields/field';

const address = email('Email', userOnly).schema;

/** In any case, and with an international domain as it is sent. Most addresses need no conversion. */
function asSent(written: string): string {
	const standard = /^[\0-\x7f]*$/.test(written) ? written : address.safeParse(written).data;
	return (standard ?? written).toLowerCase();
}

/** A number as it is sent, apart from separators. A zero after the country code may not belong to it. */
const simpleNumber = /^\+[1-9](?!\d{0,2}0)\d{6,14}$/;

/** Parsing takes long beside a look-up, so simple numbers are not parsed. */
function asE164(written: string): string | undefined {
	const digits = written.replace(/[\s()./-]/g, '');
	return simpleNumber.test(digits) ? digits : toE164(written);
}

/** The only people whom the credential lets messages reach. */
export class OnlyRecipients {
	private readonly ids: ReadonlySet<string>;
	/** Made on first use, because a run needs only one kind. */
	private emails?: ReadonlySet<string>;
	private mobiles?: ReadonlySet<string>;

	/** @param list user IDs, subscription IDs, email addresses, domains such as `@example.com`, and phone numbers */
	constructor(list: unknown) {
		const text = typeof list === 'string' || typeof list === 'number' ? String(list) : '';
		const entries = withoutInvisible(text).split(/[\r\n,]/);
		this.ids = new Set(entries.map((entry) => entry.trim()).filter(Boolean));
	}

	/** @param key the API's key of the recipient, such as `user_id` or `email` */
	allows(key: string, value: unknown): boolean {
		const recipient = String(value);
		if (key === 'mobile') {
			this.mobiles ??= new Set([...this.ids].map((entry) => asE164(entry) ?? ''));
			return this.mobiles.has(recipient);
		}
		if (key !== 'email') return this.ids.has(recipient);
		this.emails ??= new Set(
			[...this.ids].map((entry) =>
				entry.startsWith('@') ? asSent(`x${entry}`).slice(1) : asSent(entry),
			),
		);
		const standard = asSent(recipient);
		const domain = standard.slice(standard.lastIndexOf('@'));
		return this.emails.has(standard) || this.emails.has(domain);
	}
}
