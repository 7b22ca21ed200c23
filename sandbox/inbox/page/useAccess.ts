import { useEffect, useState } from 'preact/hooks';
import type { Access } from '../../introduction';
import { fetchAccess } from './requests';

let fetching: Promise<Access> | undefined;

/** The addresses and test credentials, which stay the same while the sandbox runs. */
export function useAccess(): Access | undefined {
	const [access, setAccess] = useState<Access>();
	useEffect(() => {
		fetching ??= fetchAccess();
		fetching.then(setAccess, () => (fetching = undefined));
	}, []);
	return access;
}
