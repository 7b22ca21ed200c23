import type { IDataObject } from 'n8n-workflow';

import * as order from '../support/orders';
import { keyCredential, run, useSandbox } from '../support/service';
import { consents, optOuts } from '../support/values/optOuts';

const sandbox = useSandbox();

const asking = (consent: string) => ({
	...order.pushSend,
	user_id: '={{ $json.id ?? "u-1" }}',
	additionalFields: { consent },
});

async function refusal(consent: string, rows: IDataObject[] = [{}]): Promise<string> {
	const { error } = await run(sandbox(), asking(consent), { rows });
	return error?.message ?? '';
}

describe('Consent that is a column of those who opted out', () => {
	it.each(optOuts)('is refused: {{ %s }}', async (code) => {
		const row = { unsubscribed: false, opted_out: 'no' };
		expect(await refusal(`={{ ${code} }}`, [row, row])).toMatch(
			/by its name says who opted out: they would get this, and all others would not\. Write \{\{ /,
		);
		expect(sandbox().record).toEqual([]);
	});

	it.each(consents)('is another one: {{ %s }}', async (code) => {
		expect(await refusal(`={{ ${code} }}`)).not.toContain('opted out');
	});

	it('is refused with spaces around it, and where the credential requires consent', async () => {
		expect(await refusal('= {{ $json.opted_out }} ')).toContain('opted out');
		const credential = { ...keyCredential(sandbox()), requireConsent: true };
		const { error } = await run(sandbox(), asking('={{ $json.opted_out }}'), { credential });
		expect(error?.message).toContain('opted out');
	});

	const stayed = [false, 'false', 'FALSE', ' no ', 'No', '0', 0, '', null];
	const left = [true, 'true', 'TRUE', 'yes', '1', 1, '2026-11-23', 'NULL', 'x', ['email'], {}];

	it.each<[string, (value: unknown) => IDataObject]>([
		['$json.HasOptedOutOfEmail', (value) => ({ HasOptedOutOfEmail: value as string })],
		[
			'$json["Unsubscribed from email"]',
			(value) => ({ 'Unsubscribed from email': value as string }),
		],
		['$json["Customer\'s opt-out"]', (value) => ({ "Customer's opt-out": value as string })],
		[
			'$json.properties.hs_email_optout',
			(value) => ({ properties: { hs_email_optout: value as string } }),
		],
		['$json.body.unsubscribed ?? false', (value) => ({ body: { unsubscribed: value as string } })],
		['$json.contact?.bounced', (value) => ({ contact: { bounced: value as string } })],
		['$input.item.json.opted_out', (value) => ({ opted_out: value as string })],
	])('is refused with a negation that reaches those who stayed: {{ %s }}', async (code, rowOf) => {
		const message = await refusal(`={{ ${code} }}`);
		const [, negation] = /Write (\{\{ .* \}\})$/.exec(message) ?? [];
		expect(negation).toBeDefined();
		const rows = [
			...stayed.map((value, index) => ({ ...rowOf(value), id: `stayed-${index}` })),
			...left.map((value, index) => ({ ...rowOf(value), id: `left-${index}` })),
			{ id: 'missing' },
		];
		const { output, error } = await run(sandbox(), asking(`=${negation}`), { rows });
		expect(error).toBeUndefined();
		expect(output.map(({ json }) => [json.user_id, json.outcome])).toEqual([
			...stayed.map((_, index) => [`stayed-${index}`, 'accepted']),
			...left.map((_, index) => [`left-${index}`, 'skipped']),
			['missing', 'skipped'],
		]);
	});
});
