/** The account's formats for schedules, from the credential: Luxon tokens and an IANA timezone. */
export interface ScheduleFormat {
	/** Writes digits only, because email and SMS take integers (spec §2.3, §2.4). */
	campaignDateFormat: string;
	campaignTimeFormat: string;
	/** Push takes text, whose format the reference does not show (spec §2.2, §4.2 note 4). */
	pushDateFormat: string;
	pushTimeFormat: string;
	/** Writes the time of an event as text. The reference does not describe events (spec §6). */
	eventTimeFormat: string;
	/** The timezone in which the service reads dates and times. */
	scheduleZone: string;
}

export const defaultScheduleFormat: ScheduleFormat = {
	campaignDateFormat: 'yyyyMMdd',
	campaignTimeFormat: 'HHmm',
	pushDateFormat: 'yyyy-MM-dd',
	pushTimeFormat: 'HH:mm:ss',
	eventTimeFormat: 'yyyy-MM-dd HH:mm:ss',
	scheduleZone: 'UTC',
};
