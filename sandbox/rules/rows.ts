import type { Problem } from '../terms';

/** So that a large list of wrong rows does not fill the memory. */
const maxProblems = 1000;

/** The problems of all rows of the list `nv`, each with its place in it. */
export function problemsOfRows(
	rows: unknown[],
	problemsOf: (row: unknown) => Problem[],
): Problem[] {
	const problems: Problem[] = [];
	for (const [index, row] of rows.entries()) {
		for (const { path, rule } of problemsOf(row)) {
			problems.push({ path: path === '' ? `nv[${index}]` : `nv[${index}].${path}`, rule });
		}
		if (problems.length >= maxProblems) break;
	}
	return problems;
}
