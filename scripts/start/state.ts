import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Problem } from '../problem';

/**
 * @param remedy what to do if the file is not JSON, as after a crash while it was written
 * @throws Problem with the name of the file and the remedy
 */
export function readState<State>(file: string, remedy: string): State {
	try {
		return JSON.parse(readFileSync(file, 'utf8')) as State;
	} catch (error) {
		if (!(error instanceof SyntaxError)) throw error;
		throw new Problem(
			`${file} is damaged, perhaps because the computer stopped while it was written. ${remedy}`,
		);
	}
}

/** Writes the file completely or not at all, readable only by this account. */
export function writeState(file: string, state: object): void {
	const fresh = `${file}.${process.pid}`;
	writeFileSync(fresh, `${JSON.stringify(state, null, '\t')}\n`, { mode: 0o600 });
	renameSync(fresh, file);
}
