import assert from 'node:assert/strict';
import type { Run } from './run';

export const APPOINTMENT = 'appointment-confirmed-by-sms';
export const asha = {
	...{ id: 'A-1038', userID: 'C-1001', name: 'Asha Rao', mobile: '+447700900101' },
	startsAt: '2030-01-15T15:30',
};

export const CAMPAIGN = 'campaign-approved-by-push';
export const words = {
	title: 'New season',
	message: 'The autumn collection is here.',
	url: 'https://shop.example.com/autumn',
};
export const campaignNamed = (campaign: string) => ({ ...words, campaign, author: 'author-1001' });

/** What the pushes to the author say. */
export function toldToAuthor({ arrivals }: Pick<Run, 'arrivals'>): string[] {
	return arrivals.map(({ path, body }) => {
		const { user_id: to, message } = body as { user_id: string; message: string };
		assert.deepEqual([path, to], ['/api/v1/web/send', 'author-1001']);
		return message;
	});
}
