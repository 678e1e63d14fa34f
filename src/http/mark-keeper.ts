import type { Sql } from '../platform/db/client';
import { type IdempotencyMark, MARK_LEASE_SECONDS, renewMarks } from './sql/idempotency';

/** Renews the marks of the running requests of this process. */
export interface MarkKeeper {
  /** Renews the mark until the returned function is called. */
  keep(mark: IdempotencyMark): () => void;
}

/** Two renewals may fail before a lease runs out. */
const RENEW_EVERY_MS = (MARK_LEASE_SECONDS * 1_000) / 3;

/**
 * One statement for all marks of the process, and only while there are any. A timer per request would need a
 * statement for each three seconds of waiting, because leases must be short to free the keys of a dead process soon.
 * Most requests end before the first renewal.
 */
export function createMarkKeeper(sql: Sql): MarkKeeper {
  const kept = new Set<IdempotencyMark>();
  let timer: NodeJS.Timeout | undefined;
  let renewing = false;

  function renew(): void {
    if (renewing) return;
    renewing = true;
    renewMarks(sql, [...kept])
      // A missed renewal at worst costs the leases, which every statement of a request checks.
      .catch(() => {})
      .finally(() => {
        renewing = false;
      });
  }

  return {
    keep(mark) {
      kept.add(mark);
      timer ??= setInterval(renew, RENEW_EVERY_MS);
      return () => {
        kept.delete(mark);
        if (kept.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
