import type { RequestMetrics } from '../http/middleware/measure';
import type { WebhookMetrics } from '../webhooks/webhook-metrics';
import type { AppName, ImageVerdict } from '../delivery-apps/types';
import type { Bounds } from '../platform/config/bounds';
import type { PoolUsage } from '../platform/db/client';
import type { RemovalRound } from '../platform/db/remove-expired-rows';
import type { FinalUploadState } from '../uploads/upload';

/** One call of an app's client: its name there, and the kind of its result. */
export interface AppCall {
  readonly app: AppName;
  readonly call: string;
  readonly outcome: string;
}

/** What a process tells of its own work. No label has more values than code has words. */
export interface OwnWork extends RequestMetrics, WebhookMetrics {
  /** One upload that a worker of this process brought to its end. */
  readonly countUpload: (state: FinalUploadState) => void;
  readonly observeAppCall: (call: AppCall, durationSeconds: number) => void;
  /** One image whose head was fetched. */
  readonly countImage: (verdict: ImageVerdict | 'good') => void;
  /** One round of the sweep: the lines of each kind that it nudged. */
  readonly observeSweep: (
    nudged: Readonly<Record<'menu' | 'availability' | 'rollout' | 'check' | 'webhook', number>>,
  ) => void;
  readonly countRemoved: (round: RemovalRound) => void;
  /** From now on the pool is shown under this name. */
  readonly watchPool: (pool: string, usage: () => PoolUsage) => void;
}

/** What Prometheus is told of this process, and of the queues that all processes share. */
export interface Metrics extends OwnWork {
  /** Where what is bounded in this process says how full it is. */
  readonly bounds: Bounds;
  /** Text of another exporter in this process, shown behind the rest; empty while it cannot be had. */
  addSource(read: () => Promise<string>): void;
  /** The text of `/metrics`. Never rejects because of Postgres: its being away is what somebody wants to see. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}
