import type { IDataObject } from 'n8n-workflow';

const anna = 'anna@example.com';
const phone = '+49 171 3920001';

/** One row of a list or a webhook, the path to the address in it, and the field that the path misses. */
export const missedFields: ReadonlyArray<
	readonly [row: IDataObject, path: string, field: 'email' | 'mobile' | 'name']
> = [
	[{ Email: anna }, 'Email', 'email'],
	[{ 'E-Mail': anna }, 'E-Mail', 'email'],
	[{ ' email': anna }, ' email', 'email'],
	[{ 'Email Address': anna }, 'Email Address', 'email'],
	[{ 'E-mail 1 - Value': anna }, 'E-mail 1 - Value', 'email'],
	[{ customer_email: anna, plan: 'gold' }, 'customer_email', 'email'],
	[{ 'Correo electrónico': anna }, 'Correo electrónico', 'email'],
	[{ メールアドレス: anna }, 'メールアドレス', 'email'],
	[{ login: anna }, 'login', 'email'],
	[{ properties: { email: { value: anna } } }, 'properties.email.value', 'email'],
	[{ emails: [{ type: 'work', value: anna }] }, 'emails.0.value', 'email'],
	[{ contacts: [{ emails: [{ address: anna }] }] }, 'contacts.0.emails.0.address', 'email'],
	[{ 'id-profiles': [{ ids: [{ value: anna }] }] }, 'id-profiles.0.ids.0.value', 'email'],
	[{ owner: 'sales@example.com', Email: anna }, 'Email', 'email'],
	[{ email: '', 'E-Mail': anna }, 'E-Mail', 'email'],
	[{ MobilePhone: phone }, 'MobilePhone', 'mobile'],
	[{ 'Phone Number': '0171 3920001' }, 'Phone Number', 'mobile'],
	[{ phone: 491713920001 }, 'phone', 'mobile'],
	[{ Handy: "'+491713920001" }, 'Handy', 'mobile'],
	[{ 'Tel.': 'tel:+491713920001' }, 'Tel.', 'mobile'],
	[{ phones: [{ number: phone }] }, 'phones.0.number', 'mobile'],
	[{ phone: phone, mobile_phone: phone }, 'mobile_phone', 'mobile'],
	[{ Name: 'Anna' }, 'Name', 'name'],
	[{ 'Full Name': 'Anna' }, 'Full Name', 'name'],
];

/** Rows whose columns are what they seem to be. */
export const metFields: readonly IDataObject[] = [
	{ email: anna, 'E-Mail': 'private@example.com', mobile: phone, Phone: '+1 212 555 0100' },
	{ email_opt_in: true, 'E-Mail verified': 'yes', mailing_city: 'Pune', mails: 12 },
	{ phone_verified_at: '2026-11-24', phone_type: 'work', cell: 'B12', hotel: '4711', phones: [] },
	{ name: 'Anna', Name: 'Anna B.', first_name: 'Anna', company: { name: 'Acme' } },
	{ order: 1234567, zip: '80331', total: '49.90', iban: 'DE02120300000000202051' },
	{ Email: '', 'E-Mail': null, MobilePhone: ' ' },
];
