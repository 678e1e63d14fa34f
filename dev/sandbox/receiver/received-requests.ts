import type { IncomingHttpHeaders } from 'node:http';

/** One request as `GET _sandbox/requests` shows it. */
export interface ReceivedRequest {
  /** ISO 8601 UTC with ms. */
  readonly at: string;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The raw body as text. */
  readonly body: string;
  readonly signature_valid: boolean;
}

export interface ReceivedRequests {
  add(request: ReceivedRequest): void;
  /** Oldest first. */
  list(): readonly ReceivedRequest[];
  clear(): void;
}

/** Room for the tens of thousands of small requests of a load test, and for six of the largest. */
const MAX_BYTES = 64 * 1_048_576;
/** The approximate size of one request's headers. */
const OVERHEAD_BYTES = 1_024;

/** Keeps the newest 64 MB and drops older requests. */
export function createReceivedRequests(): ReceivedRequests {
  let kept: ReceivedRequest[] = [];
  let bytes = 0;
  return {
    add(request) {
      kept.push(request);
      bytes += sizeOf(request);
      if (bytes <= MAX_BYTES) return;
      // Drops half at once: shifting the whole list for every request would slow the measured receiver.
      let dropped = 0;
      for (const each of kept) {
        if (bytes <= MAX_BYTES / 2) break;
        bytes -= sizeOf(each);
        dropped += 1;
      }
      kept = kept.slice(dropped);
    },
    list: () => kept,
    clear: () => {
      kept = [];
      bytes = 0;
    },
  };
}

function sizeOf(request: ReceivedRequest): number {
  return request.body.length + OVERHEAD_BYTES;
}
