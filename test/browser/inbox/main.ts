import { readCommandLine } from '../../commandLine';
import { runSuite, type Report } from '../../live/report';
import { assertChromium, openChromium } from '../../../scripts/chromium';
import { hostileContent } from './scenarios/hostile';
import * as looking from './scenarios/looking';
import { onStage, type Stage } from './stage';

type Scenario = [name: string, play: (stage: Stage) => Promise<void>, scheme?: 'dark'];

/** Each has a sandbox and a page of its own. */
const AT_ONCE = 3;

const scenarios: Scenario[] = [
	['Each message is shown, accessible in light, and gives the picture', looking.accessible],
	['Each message is shown, accessible in dark', looking.accessible, 'dark'],
	['Hostile content has no effect', hostileContent],
	['Filters and search narrow the list', looking.filtersAndSearch],
	['A fault is switched on and off', looking.faults],
	['An empty inbox and scenes send rows through n8n', looking.rowsThroughN8n],
];

/** `main.ts [word…]`: the inbox page in Chromium. With words, runs only the scenarios whose names contain one of them. */
async function main(report: Report): Promise<void> {
	assertChromium();
	const { isAsked } = readCommandLine();
	const browser = await openChromium();
	try {
		const waiting = scenarios.filter(([name]) => isAsked(name)).values();
		const playNext = async () => {
			for (const [name, play, scheme = 'light'] of waiting)
				await report.check('inbox', name, async () => await onStage(browser, scheme, play));
		};
		await Promise.all(Array.from({ length: AT_ONCE }, playNext));
	} finally {
		await browser.close();
	}
}

runSuite(main);
