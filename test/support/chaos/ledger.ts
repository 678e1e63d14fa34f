import type { ChaosShop } from './world';

export interface AcceptedUpload {
  readonly shop: ChaosShop;
  readonly version: string;
  readonly uploadId: string;
}

export interface AcceptedEvent {
  readonly event: number;
  /** Of its receiver. */
  readonly path: string;
  readonly deliveryId: string;
  /** When the caller learned of the acknowledgement, ms since the epoch; null = never. */
  readonly acknowledgedAt: number | null;
}

/**
 * The promises of the service: the model for comparison. A shop must show the last menu accepted for it, and a
 * receiver must have each event accepted for it.
 */
export interface Ledger {
  readonly uploads: readonly AcceptedUpload[];
  readonly events: readonly AcceptedEvent[];
  /** Answers that no fault explains. */
  readonly surprises: readonly string[];
  /** Requests that had to be sent again. */
  readonly repeats: () => number;
  acceptUpload(shop: ChaosShop, version: string, uploadId: string): void;
  acceptEvent(event: AcceptedEvent): void;
  surprise(what: string): void;
  countRepeat(): void;
}

export function createLedger(): Ledger {
  const uploads: AcceptedUpload[] = [];
  const events: AcceptedEvent[] = [];
  const surprises: string[] = [];
  let repeats = 0;
  return {
    uploads,
    events,
    surprises,
    repeats: () => repeats,
    acceptUpload: (shop, version, uploadId) => void uploads.push({ shop, version, uploadId }),
    acceptEvent: (event) => void events.push(event),
    surprise: (what) => void surprises.push(what),
    countRepeat: () => void (repeats += 1),
  };
}
