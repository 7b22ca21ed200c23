/** What became of one change, as Stryker writes it. */
export interface Mutant {
	mutatorName: string;
	replacement?: string;
	status:
		'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'Ignored' | 'CompileError' | 'RuntimeError';
	/** Why it was ignored. */
	statusReason?: string;
	location: { start: Position; end: Position };
}

interface Position {
	/** From 1 on. */
	line: number;
	/** From 1 on. */
	column: number;
}

export interface Score {
	mutants: number;
	noticed: number;
	survived: number;
	notCovered: number;
	/** What `--quick` has left out. */
	leftOut: number;
}

/** As Stryker counts: neither labels nor changes with which a test file cannot be loaded. */
export function scoreOf(mutants: readonly Mutant[]): Score {
	const count = (...states: string[]) =>
		mutants.filter(({ status }) => states.includes(status)).length;
	const uncounted = count('Ignored', 'CompileError', 'RuntimeError');
	return {
		mutants: mutants.length - uncounted,
		noticed: count('Killed', 'Timeout'),
		survived: count('Survived'),
		notCovered: count('NoCoverage'),
		leftOut: mutants.filter(({ statusReason = '' }) => statusReason.startsWith('Static')).length,
	};
}

/** Each change that no test notices, on one line. */
export function survivorsIn(
	file: string,
	{ source, mutants }: { source: string; mutants: readonly Mutant[] },
): string[] {
	const lines = source.split('\n');
	return mutants
		.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
		.sort((a, b) => a.location.start.line - b.location.start.line)
		.map(({ status, mutatorName, replacement = '', location: { start, end } }) => {
			const text = lines.slice(start.line - 1, end.line).join('\n');
			const tail = end.line === start.line ? end.column - 1 : text.length;
			const original = shorten(text.slice(start.column - 1, tail));
			const place = `${file}:${start.line}:${start.column}`;
			return `${place} ${status} ${mutatorName}: ${original} -> ${shorten(replacement)}`;
		});
}

export function tableOf(results: ReadonlyArray<Score & { folder: string }>): string {
	return [
		'| folder | mutants | noticed | survived | not covered | left out | score |',
		'|---|---|---|---|---|---|---|',
		...results.map(
			({ folder, mutants, noticed, survived, notCovered, leftOut }) =>
				`| \`${folder}\` | ${mutants} | ${noticed} | ${survived} | ${notCovered} | ${leftOut} | ${((noticed / mutants) * 100).toFixed(1)} % |`,
		),
	].join('\n');
}

function shorten(code: string): string {
	const line = code.replace(/\s+/g, ' ').trim();
	return line.length > 110 ? `${line.slice(0, 107)}…` : line;
}
