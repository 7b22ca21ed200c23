import type { Locator, Page } from 'playwright-core';

/** The form of the node that is open, or of a credential. */
export class Form {
	constructor(
		private readonly page: Page,
		private readonly root = page.getByTestId('ndv'),
	) {}

	/** By the parameter's name. */
	field(name: string): Locator {
		return this.root.getByTestId(`parameter-input-${name}`);
	}

	/** The field with its label and hint. */
	item(name: string): Locator {
		return this.root
			.getByTestId('parameter-item')
			.filter({ has: this.page.getByTestId(`parameter-input-${name}`) });
	}

	async fill(values: Record<string, string>): Promise<void> {
		for (const [name, value] of Object.entries(values))
			await this.field(name).locator('input, textarea').first().fill(value);
	}

	/** Picks one entry of a list, or several where the list takes several. */
	async choose(name: string, ...entries: string[]): Promise<void> {
		await this.field(name).click();
		for (const entry of entries) await this.entry(entry).click();
		// A click could hit the cross of a chosen entry, and Escape would close the node.
		if (entries.length > 1) await this.page.keyboard.press('Tab');
		await this.entry(entries[0] ?? '').waitFor({ state: 'hidden' });
	}

	async valueOf(name: string): Promise<string> {
		return await this.field(name).locator('input, textarea').first().inputValue();
	}

	/** An entry of the list that is open. */
	entry(text: string): Locator {
		return this.page
			.locator('.el-select-dropdown__item')
			.filter({ visible: true, has: this.page.getByText(text, { exact: true }) });
	}
}
