import { isSent } from '../../../../nodes/CustomerMessaging/shared/ending';
import { sendAll } from '../../../../nodes/CustomerMessaging/sendAll';
import { Sent } from '../../../../nodes/CustomerMessaging/engine/record/sent';
import { identityFor } from '../../../../nodes/CustomerMessaging/plan/identity';
import type { Delivery } from '../../../../nodes/CustomerMessaging/shared/delivery';
import { seededRandom } from '../../../../sandbox/random';
import { fakeN8n } from '../../../../simulation/fakeN8n';
import { makeRun } from '../../../../simulation/run';
import { VirtualClock } from '../../../../simulation/virtualClock';
import { propertyRuns, propertySeed } from '../../../propertyRuns';

const START_MS = 1_000_000 * 60_000;
const DAY_MS = 24 * 3_600_000;

/** 1,000 users, 20 of whom have two to five rows at random places. Each row has its own version. */
function inputOf(random: () => number): Delivery[] {
	const ids = Array.from({ length: 1_000 }, (_, user) => `user-${user}`);
	for (let user = 0; user < 20; user++) {
		const extraRows = 1 + Math.floor(random() * 4);
		for (let row = 0; row < extraRows; row++)
			ids.splice(Math.floor(random() * (ids.length + 1)), 0, `user-${user}`);
	}
	return ids.map((userID, itemIndex) => ({
		itemIndex,
		userID,
		path: '/api/v1/user/create',
		buildBody: () => ({ userID, version: itemIndex }),
	}));
}

/** Sends to a service that takes a random time, answers a share of requests 429, and 400 to batches with bad IDs. */
async function send(seed: number, share429: number, badIds: string[]) {
	const random = seededRandom(seed);
	const deliveries = inputOf(random);
	const clock = new VirtualClock(START_MS);
	/** The version of each user that the last request has stored, and those of all. */
	const versions = new Map<string, number>();
	const stored: number[] = [];
	const n8n = fakeN8n(clock, async (body) => {
		const { nv } = body as { nv: Array<{ userID: string; version: number }> };
		await clock.sleep(Math.floor(20 + 780 * random()));
		const isBad = nv.some(({ userID }) => badIds.includes(userID));
		const statusCode = random() < share429 ? 429 : isBad ? 400 : 200;
		if (statusCode === 200)
			for (const { userID, version } of nv) {
				versions.set(userID, version);
				stored.push(version);
			}
		await clock.sleep(Math.floor(100 * random()));
		return { kind: 'answer', statusCode, body: null };
	});
	const account = { brandId: `seed ${seed} ${share429}`, secret: 'secret' };
	const run = makeRun('user', 'create', account, { batchSize: 20 + Math.floor(random() * 80) });
	const plan = { leftOut: [], invalid: [], earlier: [], itemCount: deliveries.length };
	const sent = new Sent(n8n, { operation: 'user.create' }, identityFor({}));
	const { results } = await clock.run(
		sendAll({ plan: { deliveries: [...deliveries], ...plan }, run, n8n, sent }),
		START_MS + DAY_MS,
	);
	const good = deliveries.filter(({ userID }) => !badIds.includes(String(userID)));
	const lastOf = new Map(good.map(({ userID, itemIndex }) => [userID, itemIndex]));
	expect({ seed, versions }).toEqual({ seed, versions: lastOf });
	expect(stored.sort((a, b) => a - b)).toEqual(good.map(({ itemIndex }) => itemIndex));
	return results;
}

const fiveIds = Array.from({ length: 5 }, (_, bad) => `user-${500 + bad * 70}`);

test.each([
	['however long each request takes', 0, []],
	['also if requests are refused with 429, and batches split', 0.1, fiveIds],
])(
	'For 20 of 1,000 users in several rows, the last one remains, %s',
	async (_, share429, badIds) => {
		for (let seed = propertySeed; seed < propertySeed + Math.min(propertyRuns, 200); seed++) {
			const results = await send(seed, share429, badIds);
			expect(results.every(isSent)).toBe(true);
		}
	},
);
