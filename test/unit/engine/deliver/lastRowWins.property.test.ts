import { sendAll } from '../../../../nodes/CustomerMessaging/send/sendAll';
import { Sent } from '../../../../nodes/CustomerMessaging/engine/record/sent';
import { identityFor } from '../../../../nodes/CustomerMessaging/plan/identity';
import type { Delivery } from '../../../../nodes/CustomerMessaging/shared/delivery';
import { seededRandom } from '../../../../sandbox/random';
import { VirtualClock } from '../../../../simulation/virtualClock';
import { propertyRuns, propertySeed } from '../../../propertyRuns';
import { batchRun } from './support/batchRun';
import { fakeN8n } from '../../../../simulation/fakeN8n';
import { UserService } from './support/userService';

const START_MS = 1_000_000 * 60_000;
const USERS = 1_000;
const REPEATED = 20;
const DAY_MS = 24 * 3_600_000;

/** 1,000 users, 20 of whom have two to five rows at random places. Each row has its own version. */
function inputOf(random: () => number): Delivery[] {
	const ids = Array.from({ length: USERS }, (_, user) => `user-${user}`);
	for (let user = 0; user < REPEATED; user++) {
		const extraRows = 1 + Math.floor(random() * 4);
		for (let row = 0; row < extraRows; row++) {
			ids.splice(Math.floor(random() * (ids.length + 1)), 0, `user-${user}`);
		}
	}
	return ids.map((userID, itemIndex) => ({
		itemIndex,
		userID,
		path: '/api/v1/user/create',
		buildBody: () => ({ userID, user_attributes: { version: itemIndex } }),
	}));
}

/** The version of each user's last row. */
function lastVersions(deliveries: readonly Delivery[]): Map<string, number> {
	return new Map(deliveries.map(({ userID, itemIndex }) => [String(userID), itemIndex]));
}

async function send(
	seed: number,
	deliveries: readonly Delivery[],
	{ random, ...faults }: { random: () => number } & ConstructorParameters<typeof UserService>[2],
) {
	const clock = new VirtualClock(START_MS);
	const service = new UserService(clock, random, faults);
	const n8n = fakeN8n(clock, async (body) => await service.receive(body));
	const report = await clock.run(
		sendAll(
			{
				deliveries: [...deliveries],
				leftOut: [],
				invalid: [],
				earlier: [],
				itemCount: deliveries.length,
			},
			batchRun({ batchSize: 20 + Math.floor(random() * 80) }, `seed ${seed} ${faults.share429}`),
			n8n,
			new Sent(n8n, { operation: 'user.create' }, identityFor({})),
		),
		START_MS + DAY_MS,
	);
	const versions = new Map(
		[...service.users].map(([userID, { version }]) => [userID, Number(version)]),
	);
	return { service, report, versions };
}

const seeds = Array.from({ length: Math.min(propertyRuns, 200) }, (_, run) => propertySeed + run);

describe('For 1,000 users, 20 of them in several rows, however long each request takes', () => {
	it('the values of the last row remain', async () => {
		for (const seed of seeds) {
			const random = seededRandom(seed);
			const deliveries = inputOf(random);
			const { service, report, versions } = await send(seed, deliveries, { random });
			expect({ seed, versions }).toEqual({ seed, versions: lastVersions(deliveries) });
			expect(report.results.every((result) => result.kind === 'sent')).toBe(true);
			expect(service.stored.size).toBe(deliveries.length);
			expect([...service.stored.values()].every((times) => times === 1)).toBe(true);
		}
	});

	it('the values of the last row remain if requests are refused with 429, and batches split', async () => {
		for (const seed of seeds) {
			const random = seededRandom(seed);
			const deliveries = inputOf(random);
			const badIds = new Set(Array.from({ length: 5 }, (_, bad) => `user-${500 + bad * 70}`));
			const { service, versions } = await send(seed, deliveries, {
				random,
				share429: 0.1,
				badIds,
			});
			const expected = lastVersions(deliveries);
			for (const bad of badIds) expected.delete(bad);
			expect({ seed, versions }).toEqual({ seed, versions: expected });
			expect(service.stored.size).toBe(deliveries.length - badIds.size);
		}
	});
});
