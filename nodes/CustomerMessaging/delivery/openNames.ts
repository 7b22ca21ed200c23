/** The names of messages that runs of this process are sending, in each of n8n's lists. */
export class OpenNames {
	private readonly open = new Map<string, { released: Promise<void>; release: () => void }>();

	has(names: readonly string[], list: string): boolean {
		return names.some((name) => this.open.has(`${list} ${name}`));
	}

	take(names: readonly string[], list: string): void {
		for (const name of names) {
			let release = () => {};
			const released = new Promise<void>((resolve) => {
				release = resolve;
			});
			this.open.set(`${list} ${name}`, { released, release });
		}
	}

	release(names: readonly string[], list: string): void {
		for (const name of names) {
			this.open.get(`${list} ${name}`)?.release();
			this.open.delete(`${list} ${name}`);
		}
	}

	/** Settles when all of the names are released. */
	async released(names: readonly string[], list: string): Promise<void> {
		await Promise.all(names.map(async (name) => await this.open.get(`${list} ${name}`)?.released));
	}
}
