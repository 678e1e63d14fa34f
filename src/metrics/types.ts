import type { SweptKind } from '../platform/queue/workflow-kind';
import type { RequestMetrics } from '../http/middleware/measure';
import type { WebhookMetrics } from '../webhooks/webhook-metrics';
import type { AppName, ImageVerdict } from '../delivery-apps/types';
import type { Bounds } from '../platform/admission/bound-metrics';
import type { OwnFaultKind } from '../platform/outbound/own-faults';
import type { PoolUsage } from '../platform/db/client';
import type { DatabaseClock } from '../platform/db/database-clock';
import type { RemovalRound } from '../platform/db/remove-expired-rows';
import type { FinalUploadState } from '../uploads/upload';

/** One call of an app's client: its name there, and the kind of its result. */
export interface AppCall {
  readonly app: AppName;
  readonly call: string;
  readonly outcome: string;
}

/** The metrics of a process's own work. All values of labels are words in the code, so their number is bounded. */
export interface OwnWork extends RequestMetrics, WebhookMetrics {
  /** One upload that a worker of this process ended. */
  readonly countUpload: (app: AppName, state: FinalUploadState) => void;
  readonly observeAppCall: (call: AppCall, durationSeconds: number) => void;
  /** One request that failed, or secret that could not be opened, by trouble of our own. */
  readonly countOwnFault: (kind: OwnFaultKind) => void;
  /** One image whose head was fetched. */
  readonly countImage: (verdict: ImageVerdict | 'good') => void;
  /** One round of the sweep: the keys of each kind that it woke. */
  readonly observeSweep: (woken: Readonly<Partial<Record<SweptKind, number>>>) => void;
  readonly countRemoved: (round: RemovalRound) => void;
  /** Exports the pool under this name from now on. */
  readonly watchPool: (pool: string, usage: () => PoolUsage) => void;
  /** Exports how wrong the clock of this process is. */
  readonly watchClock: (clock: Pick<DatabaseClock, 'skewMs'>) => void;
}

/** The metrics of this process, and of the queues that all processes share. */
export interface Metrics extends OwnWork {
  /** Where the limits of this process report how full they are. */
  readonly bounds: Bounds;
  /** Adds the text of another exporter in this process; empty if it cannot be read. */
  addSource(read: () => Promise<string>): void;
  /** The text of `/metrics`. Never rejects because of Postgres, whose outage must be visible in it. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
}
