/** The engine's face: nothing else in this folder is imported from outside. See README.md. */
export { Batches, lanesOf } from './batches';
export { deliver } from './deliver';
export type { Message, Wire } from './message';
export { type Pace, paceOf } from './pace/pace';
export { judgeHealthCheck, Policy } from './policy';
export type { Identity } from './record/ledger';
export type { RecordMemory } from './record/memory';
export { openRecord } from './record/open';
export { Sent } from './record/sent';
export type { NodeStore } from './record/store';
export { type AnswerRule, isWebPage, redirectTarget, type Reply } from './replies';
