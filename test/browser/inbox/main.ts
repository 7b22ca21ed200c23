import { strict as assert } from 'node:assert';
import type { Browser } from 'playwright-core';
import { Report } from '../../live/report';
import { runSuite } from '../../live/suite';
import { assertChromium, openChromium } from '../../../scripts/chromium';
import { accessible, announcements, keyboard, phone, tablet } from './scenarios/access';
import {
	dropped,
	emptied,
	filtersAndSearch,
	liveArrival,
	restarted,
	steadyPlace,
	tenThousand,
} from './scenarios/arriving';
import { editor, firstSteps } from './scenarios/beginning';
import { fastEdits, heldSwitch, lateEvents, refusedSwitch } from './scenarios/confirming';
import { copyAsWorkflow, withoutClipboard } from './scenarios/copying';
import { faults, gauges, limits, scenes, scenesAlone } from './scenarios/coping';
import { afterBack, afterClear, afterEmpty, afterSwitchOff } from './scenarios/focus';
import { campaigns, foldedTests, pageOfUser, unreadMarks } from './scenarios/grouping';
import { hostileContent } from './scenarios/hostile';
import {
	credentialTests,
	events,
	exchange,
	mail,
	mailInFull,
	pushes,
	questions,
	testCredentials,
	timeLine,
	users,
} from './scenarios/looking';
import { frozenAt, inboxDark, inboxEmail, inboxLight, inboxPhone } from './scenarios/pictures';
import { brokenMessage, brokenRow, rawRequest } from './scenarios/withstanding';
import { onStage, type Setting, type Stage } from './stage';

type Scenario = [name: string, play: (stage: Stage) => Promise<void>, setting?: Setting];

/** Each has a sandbox and a page of its own. */
const AT_ONCE = 3;

const ample = { limits: { push: 100_000 } };
const dark: Setting = { colorScheme: 'dark' };
const pocket: Setting = { width: 360, height: 740 };

const scenarios: Scenario[] = [
	['New arrivals appear on the page without a reload', liveArrival],
	['The list keeps its place while messages arrive above', steadyPlace, { options: ample }],
	['An empty inbox shows three ways to the first message', firstSteps, { options: { editor } }],
	['An empty inbox shows them on a phone', firstSteps, { ...pocket, options: { editor } }],
	['Filters and search narrow the list', filtersAndSearch],
	['The platforms of a campaign are one entry', campaigns],
	['Repeated credential tests are one entry', foldedTests],
	['What was not looked at is marked', unreadMarks],
	['Each user has a page', pageOfUser],
	['The inbox is emptied', emptied],
	['The page follows a sandbox that starts again', restarted],
	[
		'The page counts the arrivals that the record dropped',
		dropped,
		{ options: { maxRecords: 20 } },
	],
	['With ten thousand messages, the document contains few rows', tenThousand, { options: ample }],
	['A push is shown as it looks on each platform', pushes],
	['A question can be opened, and no other link', questions],
	['An email is shown with its envelope, in a frame', mail],
	['An email is shown in full, with its links and source', mailInFull],
	['Users are shown as a table', users],
	['Events are shown as a timeline for each user', events],
	['Request and response are shown with secrets masked', exchange],
	['Scheduled messages are listed by their time', timeLine],
	['A credential test is labelled and not a failure', credentialTests],
	['The test credentials are on the page', testCredentials],
	['The gauges show the requests left for each API', gauges],
	['A fault is switched on and off', faults],
	['Limits can be changed on the page', limits],
	['A scene changes the service and sends its rows', scenes, { options: { editor } }],
	['Without n8n, a scene changes the service', scenesAlone],
	['A switch keeps its new state until the sandbox confirms it', heldSwitch],
	['An event older than a change does not undo it', lateEvents],
	['A refused switch goes back and says why', refusedSwitch],
	['Each of several fast edits of a number counts', fastEdits],
	['The focus moves on from a fault that is switched off', afterSwitchOff],
	['The focus stays where the inbox was emptied', afterEmpty],
	['The focus moves to the search after it is cleared', afterClear],
	['The focus goes to the list and back on a phone', afterBack, pocket],
	['A message is copied as a workflow', copyAsWorkflow],
	['A workflow is copied by hand', withoutClipboard],
	['The page can be used by keyboard alone', keyboard],
	['Screen readers hear of new messages at most every few seconds', announcements],
	['The page fits on a phone', phone, pocket],
	['The page fits on a tablet', tablet, { width: 900, height: 700 }],
	['The light page is accessible', accessible],
	['The dark page is accessible', accessible, dark],
	['Hostile content has no effect', hostileContent],
	['A message that cannot be shown does not hide others', brokenMessage],
	['A row that cannot be shown does not hide others', brokenRow],
	['Large integers and repeated keys are shown as they were sent', rawRequest],
	['The picture of the light inbox is taken', inboxLight, { frozenAt, options: { editor } }],
	['The picture of the dark inbox is taken', inboxDark, { frozenAt, ...dark, options: { editor } }],
	['The picture of an email is taken', inboxEmail, { frozenAt, options: { editor } }],
	[
		'The picture of the inbox on a phone is taken',
		inboxPhone,
		{ frozenAt, ...pocket, height: 1000 },
	],
];

/** `main.ts [word…]`: the inbox page in Chromium. With words, runs only the scenarios whose names contain one of them. */
async function main(): Promise<void> {
	assertChromium();
	const words = process.argv.slice(2).map((word) => word.toLowerCase());
	const isAsked = ([name]: Scenario) =>
		words.length === 0 || words.some((word) => name.toLowerCase().includes(word));
	const report = new Report();
	const browser = await openChromium();
	try {
		const playNext = async (waiting: Iterator<Scenario> & Iterable<Scenario>) => {
			for (const [name, play, setting = {}] of waiting) {
				await report.check('inbox', name, async () => await playOut(browser, setting, play));
			}
		};
		const waiting = scenarios.filter(isAsked).values();
		await Promise.all(Array.from({ length: AT_ONCE }, async () => await playNext(waiting)));
	} finally {
		await browser.close();
	}
	console.log(`\n${report.table()}\n`);
	console.log(`${report.count('passed')} passed, ${report.count('failed')} failed`);
	process.exit(report.exitCode());
}

/** Checks in every scenario that there was no console error, no dialog and no request to another server. */
async function playOut(browser: Browser, setting: Setting, play: Scenario[1]): Promise<void> {
	await onStage(browser, setting, async (stage) => {
		await play(stage);
		const { errors, dialogs, outside } = stage;
		assert.deepEqual({ errors, dialogs, outside }, { errors: [], dialogs: [], outside: [] });
	});
}

runSuite(main);
