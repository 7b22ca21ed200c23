/** A CPU profile as V8 writes it. */
export interface Profile {
	nodes: Array<{
		id: number;
		callFrame: { functionName: string; url: string; lineNumber: number };
		children?: number[];
	}>;
	samples: number[];
	timeDeltas: number[];
}

export interface Cost {
	name: string;
	ms: number;
}

type ProfileNode = Profile['nodes'][number];

const OURS = 'n8n-nodes-customer-messaging/dist/';

/** Summarizes a profile, the most costly functions first. */
export function costs({
	nodes,
	samples,
	timeDeltas,
}: Profile): Record<'own' | 'byPackage' | 'ourFunctions', Cost[]> {
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const selfMs = new Map<number, number>();
	samples.forEach((id, index) =>
		selfMs.set(id, (selfMs.get(id) ?? 0) + (timeDeltas[index] ?? 0) / 1_000),
	);

	const own = new Map<string, number>();
	const byPackage = new Map<string, number>();
	const ourFunctions = new Map<string, number>();
	const add = (sums: Map<string, number>, name: string, ms: number) =>
		sums.set(name, (sums.get(name) ?? 0) + ms);

	// A function that calls itself counts once for each sample, so names on the way down are kept.
	const visit = (node: ProfileNode, above: ReadonlySet<string>): void => {
		const ms = selfMs.get(node.id) ?? 0;
		const name = describeFrame(node);
		add(own, name, ms);
		add(byPackage, findPackage(node), ms);
		const within = node.callFrame.url.includes(OURS) ? new Set([...above, name]) : above;
		for (const one of within) add(ourFunctions, one, ms);
		for (const child of node.children ?? []) {
			const next = byId.get(child);
			if (next) visit(next, within);
		}
	};
	const [root] = nodes;
	if (root) visit(root, new Set());
	return { own: sorted(own), byPackage: sorted(byPackage), ourFunctions: sorted(ourFunctions) };
}

function sorted(sums: Map<string, number>): Cost[] {
	return [...sums].map(([name, ms]) => ({ name, ms })).sort((a, b) => b.ms - a.ms);
}

function describeFrame({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
	const place = url === '' ? '' : ` ${url.split('/node_modules/').at(-1)}:${lineNumber + 1}`;
	return `${functionName || '(anonymous)'}${place}`;
}

function findPackage({ callFrame: { functionName, url } }: ProfileNode): string {
	if (url === '') return functionName || '(native)';
	if (url.startsWith('node:')) return 'node';
	return /^(@[^/]+\/)?[^/]+/.exec(url.split('/node_modules/').at(-1) ?? '')?.[0] ?? url;
}
