import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import type { Report } from './engine';
import { bodies } from './service';

/** The users or events that arrived, oldest first. */
export function elementsIn(sandbox: Pick<Sandbox, 'record'>): IDataObject[] {
	return (bodies(sandbox) as Array<{ nv: IDataObject[] }>).flatMap(({ nv }) => nv);
}

/** What the run tells in its hints. */
export function hintsOf({ hints }: Pick<Report, 'hints'>): string[] {
	return hints.map(({ message }) => message);
}
