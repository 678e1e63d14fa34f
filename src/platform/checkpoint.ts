/**
 * The places between two durable steps where a process may die. In production a checkpoint does nothing; the crash
 * tests stop or kill the process there, because "it survives a crash" is only true of places that were tried.
 */
export const CHECKPOINTS = [
  'api:before-insert',
  'api:before-wake',
  'api:before-answer',
  'worker:claimed',
  'worker:before-token',
  'worker:before-transform',
  'worker:before-item-call',
  'worker:before-push',
  'worker:after-push',
  'worker:before-outcome',
  'worker:after-outcome',
  'consumer:claimed',
  'consumer:before-record',
] as const;

export type Checkpoint = (typeof CHECKPOINTS)[number];
export type AtCheckpoint = (name: Checkpoint) => Promise<void>;

export const noCheckpoints: AtCheckpoint = () => Promise.resolve();
