import type { IRun, ITaskData } from 'n8n-workflow';

import { nodeName, type Order, runWorkflow } from './engine';
import { dataForRetry } from './executionList';

export interface LoopOrder extends Order {
	rowsPerRun: number;
	/** What n8n stored of the execution that is retried. */
	retryOf?: IRun;
}

/** Runs the node in a loop with n8n's own engine, and returns the result of each run. */
export async function executeInLoop(order: LoopOrder): Promise<{ run: IRun; runs: ITaskData[] }> {
	const { retryOf, mode = retryOf ? 'retry' : 'webhook' } = order;
	const dataOf = retryOf && (() => dataForRetry(retryOf));
	const run = await runWorkflow({ ...order, mode }, { dataOf });
	return { run, runs: run.data.resultData.runData[nodeName] ?? [] };
}
