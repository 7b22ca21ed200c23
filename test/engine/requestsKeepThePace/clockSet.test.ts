import { freezeClock, passMinutes } from '../support/clock';
import { useNode } from '../support/node';
import { countsOf, push, rowsOf } from '../support/sends';

freezeClock('2027-01-15T10:00:00Z');
const node = useNode({ rows: rowsOf(2), parameters: push({ concurrency: 1 }) });

test.each([-60, 60])('A clock that is set by %i minutes changes no wait', async (minutes) => {
	const cameAtMs: number[] = [];
	const { told } = await node.against((response) => {
		const isLimited = cameAtMs.push(performance.now()) === 1;
		if (isLimited) setTimeout(() => passMinutes(minutes), 300);
		response.writeHead(isLimited ? 429 : 200, { 'retry-after': '1' }).end('{}');
	});
	expect(countsOf(told)).toEqual({ accepted: 2 });
	const [limitedAtMs = NaN, nextAtMs] = cameAtMs;
	expect(nextAtMs).toBeGreaterThan(limitedAtMs + 990);
});
