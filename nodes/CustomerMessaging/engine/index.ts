/** The engine's face: nothing else in this folder is imported from outside. See README.md. */
export { Batches } from './batches';
export type { Environment, Wire } from './interfaces';
export { type Pace, paceOf } from './pace/pace';
export { type AnswerRule, Policy } from './policy';
export type { Identity, RecordMemory } from './record/ledger';
export { openRecord } from './record/open';
export { Sent } from './record/sent';
export type { NodeStore } from './record/store';
export { isWebPage, judge, redirectTarget, type Reply } from './replies';
export { deliver } from './sending';
