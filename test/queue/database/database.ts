/** n8n asks for Postgres in queue mode. With SQLite, two workers that write at the same moment meet more easily. */
export const databaseKinds = ['postgres', 'sqlite'] as const;
export type DatabaseKind = (typeof databaseKinds)[number];

/** The database that all processes of one n8n share. */
export interface Database {
	/** How n8n finds it. */
	env: NodeJS.ProcessEnv;
	/** Lets nobody write to n8n's store of processed items for so long, and returns when that is over. */
	lock(forMs: number): Promise<void>;
	stop: () => Promise<void>;
}
