/** The names of messages that runs of this process are sending, in each of n8n's lists. */
export class NamesInUse {
	private readonly inUse = new Map<string, { released: Promise<void>; release: () => void }>();

	has(names: readonly string[], list: string): boolean {
		return names.some((name) => this.inUse.has(`${list} ${name}`));
	}

	take(names: readonly string[], list: string): void {
		for (const name of names) {
			let release = () => {};
			const released = new Promise<void>((resolve) => {
				release = resolve;
			});
			this.inUse.set(`${list} ${name}`, { released, release });
		}
	}

	release(names: readonly string[], list: string): void {
		for (const name of names) {
			this.inUse.get(`${list} ${name}`)?.release();
			this.inUse.delete(`${list} ${name}`);
		}
	}

	/** Settles when all of the names are released. */
	async released(names: readonly string[], list: string): Promise<void> {
		await Promise.all(names.map(async (name) => await this.inUse.get(`${list} ${name}`)?.released));
	}
}
