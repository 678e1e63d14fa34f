import type { Sql } from '../platform/db/client';
import { type IdempotencyMark, MARK_LEASE_SECONDS, renewMarks } from './sql/idempotency';

/** Keeps the marks of the requests that run in this process from running out. */
export interface MarkKeeper {
  /** Renews the mark until the returned function is called. */
  keep(mark: IdempotencyMark): () => void;
}

/** Two renewals may fail before a lease runs out. */
const RENEW_EVERY_MS = (MARK_LEASE_SECONDS * 1_000) / 3;

/**
 * One statement for all marks of the process, and only while there are any. A timer for each request was as many
 * statements, and with a lease short enough to free the keys of a dead process soon that is one for each three seconds
 * of waiting. Most requests end before the first renewal.
 */
export function createMarkKeeper(sql: Sql): MarkKeeper {
  const kept = new Set<IdempotencyMark>();
  let timer: NodeJS.Timeout | undefined;
  let renewing = false;

  function renew(): void {
    if (renewing) return;
    renewing = true;
    renewMarks(sql, [...kept])
      // A missed renewal costs the leases at worst, which every statement of a request checks.
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
