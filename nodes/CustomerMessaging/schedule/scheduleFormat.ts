/** How the account writes schedules: Luxon tokens and an IANA zone, from the credential. */
export interface ScheduleFormat {
	/** Gives digits only: email and SMS take integers (spec §2.3, §2.4). */
	campaignDateFormat: string;
	campaignTimeFormat: string;
	/** Push takes text whose format is not shown (spec §2.2, §4.2 note 4). */
	pushDateFormat: string;
	pushTimeFormat: string;
	/** The zone in which the service reads dates and times. */
	scheduleZone: string;
}

export const defaultScheduleFormat: ScheduleFormat = {
	campaignDateFormat: 'yyyyMMdd',
	campaignTimeFormat: 'HHmm',
	pushDateFormat: 'yyyy-MM-dd',
	pushTimeFormat: 'HH:mm:ss',
	scheduleZone: 'UTC',
};
