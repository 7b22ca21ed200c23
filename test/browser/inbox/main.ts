import { strict as assert } from 'node:assert';
import type { Browser } from 'playwright-core';
import { explain } from '../../../scripts/problem';
import { Report } from '../../live/report';
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
import {
	fastEdits,
	heldFault,
	heldSwitch,
	lateEvents,
	refusedSwitch,
} from './scenarios/confirming';
import { copyAsWorkflow, withoutClipboard } from './scenarios/copying';
import { faults, gauges, limits } from './scenarios/coping';
import { wrongFault, wrongLimit } from './scenarios/entering';
import { afterBack, afterClear, afterEmpty, afterSwitchOff } from './scenarios/focus';
import { hostileContent, otherOrigins } from './scenarios/hostile';
import {
	credentialTests,
	events,
	exchange,
	lockScreen,
	longEmail,
	mail,
	pushes,
	testCredentials,
	texts,
	timeLine,
	users,
} from './scenarios/looking';
import { inboxDark, inboxEmail, inboxLight, inboxPhone } from './scenarios/pictures';
import {
	brokenMessage,
	brokenRow,
	endlessDelay,
	rawRequest,
	slowEmail,
} from './scenarios/withstanding';
import { fuzzed } from './scenarios/fuzzed';
import { onStage, type Setting, type Stage } from './stage';

type Scenario = [name: string, play: (stage: Stage) => Promise<void>, setting?: Setting];

/** Each has a sandbox and a page of its own. */
const AT_ONCE = 3;

const ample = { limits: { push: 100_000 } };
const dark: Setting = { colorScheme: 'dark' };
const pocket: Setting = { width: 360, height: 740 };
const frozenAt = '2026-11-21T09:30:00Z';

const scenarios: Scenario[] = [
	['What arrives is on the page by itself', liveArrival],
	['Who reads further down keeps their place', steadyPlace, { options: ample }],
	['Filters and search narrow the list', filtersAndSearch],
	['The inbox is emptied', emptied],
	['The page follows a sandbox that starts again', restarted],
	['What the record dropped is counted', dropped, { options: { maxRecords: 20 } }],
	['Ten thousand messages, few rows in the document', tenThousand, { options: ample }],
	['A push looks like one on each platform', pushes],
	['An SMS is a bubble with its parts', texts],
	['An email has an envelope and a frame', mail],
	['Users are a table', users],
	['Events are a timeline for each user', events],
	['Request and answer, secrets masked', exchange],
	['Scheduled messages on a time line', timeLine],
	['A credential test is labelled and not a failure', credentialTests],
	['The test credentials are on the page', testCredentials],
	['The time on an iPhone is on one line', lockScreen, { ...pocket, locale: 'es-MX' }],
	['Gauges of each API', gauges],
	['A fault is switched on and off', faults],
	['Limits are changed', limits],
	['A switch keeps what was clicked until it is confirmed', heldSwitch],
	['An event older than a change does not undo it', lateEvents],
	['A refused switch goes back and says why', refusedSwitch],
	['Fast edits of a number all count', fastEdits],
	['A fault is off at once, and back if that is refused', heldFault],
	['A wrong limit is explained and taken back', wrongLimit],
	['A wrong fault is explained and not switched on', wrongFault],
	['The focus moves on from a fault that is switched off', afterSwitchOff],
	['The focus stays where the inbox was emptied', afterEmpty],
	['The focus is on the search that was cleared', afterClear],
	['The focus goes to the list and back on a phone', afterBack, pocket],
	['An open email of 2 MB is not rendered on each event', longEmail],
	['A message is copied as a workflow', copyAsWorkflow],
	['A workflow is copied by hand', withoutClipboard],
	['All by keyboard', keyboard],
	['New messages are told, not chattered', announcements],
	['On a phone', phone, pocket],
	['On a tablet', tablet, { width: 900, height: 700 }],
	['Accessible in light', accessible],
	['Accessible in dark', accessible, dark],
	['Hostile content does nothing', hostileContent],
	['Other origins change nothing', otherOrigins],
	['A message that cannot be shown hides no other', brokenMessage],
	['A row that cannot be shown hides no other', brokenRow],
	['A delay beyond all dates is shown as it was sent', endlessDelay],
	['Large integers and repeated keys are shown as they were sent', rawRequest],
	['An email of 200 kB of open tags holds nothing up', slowEmail],
	['Picture: light', inboxLight, { frozenAt }],
	['Picture: dark', inboxDark, { frozenAt, ...dark }],
	['Picture: email', inboxEmail, { frozenAt }],
	['Picture: phone', inboxPhone, { frozenAt, ...pocket, height: 1000 }],
];

/** Measures time, so nothing else runs meanwhile. */
const alone: Scenario[] = [['Twenty thousand hostile requests', fuzzed]];

/** `main.ts [word…]`: the inbox page in Chromium. With words, only the scenarios whose names hold one of them. */
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
		await playNext(alone.filter(isAsked).values());
	} finally {
		await browser.close();
	}
	console.log(`\n${report.table()}\n`);
	console.log(`${report.count('passed')} passed, ${report.count('failed')} failed`);
	process.exit(report.exitCode());
}

/** Whatever a scenario is about: no error on the console, no dialog, nothing asked of anyone outside. */
async function playOut(browser: Browser, setting: Setting, play: Scenario[1]): Promise<void> {
	await onStage(browser, setting, async (stage) => {
		await play(stage);
		const { errors, dialogs, outside } = stage;
		assert.deepEqual({ errors, dialogs, outside }, { errors: [], dialogs: [], outside: [] });
	});
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
	process.on(signal, () => process.exit(130));

main().catch((error: unknown) => {
	console.error(explain(error));
	console.log('0 passed, 1 failed');
	process.exit(1);
});
