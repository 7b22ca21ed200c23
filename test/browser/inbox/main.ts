import { readCommandLine } from '../../commandLine';
import { runSuite, type Report } from '../../live/report';
import { assertChromium, openChromium } from '../../../scripts/chromium';
import { accessible } from './scenarios/access';
import { editor, faults, firstSteps, scenes } from './scenarios/coping';
import { hostileContent } from './scenarios/hostile';
import {
	exchange,
	filtersAndSearch,
	frozenAt,
	inboxPicture,
	mail,
	pushes,
} from './scenarios/looking';
import { onStage, type Setting, type Stage } from './stage';

type Scenario = [name: string, play: (stage: Stage) => Promise<void>, setting?: Setting];

/** Each has a sandbox and a page of its own. */
const AT_ONCE = 3;

const dark: Setting = { colorScheme: 'dark' };

const scenarios: Scenario[] = [
	['An empty inbox shows three ways to the first message', firstSteps, { options: { editor } }],
	['Filters and search narrow the list', filtersAndSearch],
	['A push is shown as it looks on each platform', pushes],
	['An email is shown with its envelope, in a frame', mail],
	['Request and response are shown with secrets masked', exchange],
	['A fault is switched on and off', faults],
	['A scene changes the service and sends its rows', scenes, { options: { editor } }],
	['The light page is accessible, and is emptied', accessible],
	['The dark page is accessible', accessible, dark],
	['Hostile content has no effect', hostileContent],
	['The picture of the inbox is taken', inboxPicture, { frozenAt, options: { editor } }],
];

/** `main.ts [word…]`: the inbox page in Chromium. With words, runs only the scenarios whose names contain one of them. */
async function main(report: Report): Promise<void> {
	assertChromium();
	const { isAsked } = readCommandLine();
	const browser = await openChromium();
	try {
		const playNext = async (waiting: Iterator<Scenario> & Iterable<Scenario>) => {
			for (const [name, play, setting = {}] of waiting) {
				await report.check('inbox', name, async () => await onStage(browser, setting, play));
			}
		};
		const waiting = scenarios.filter(([name]) => isAsked(name)).values();
		await Promise.all(Array.from({ length: AT_ONCE }, async () => await playNext(waiting)));
	} finally {
		await browser.close();
	}
}

runSuite(main);
