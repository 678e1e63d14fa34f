import type { Sql } from '../platform/db/client';
import { type HeldKey, KEY_LEASE_SECONDS, renewKeys } from './sql/idempotency';

/** Renews the idempotency keys that the running requests of this process hold. */
export interface KeyKeeper {
  /** Renews the key until the returned function is called. */
  keep(heldKey: HeldKey): () => void;
}

/** Two renewals may fail before a lease runs out. */
const RENEW_EVERY_MS = (KEY_LEASE_SECONDS * 1_000) / 3;

/**
 * One statement for all keys of the process, and only while there are any. A timer per request would need a
 * statement for each three seconds of waiting, because leases must be short to free the keys of a dead process soon.
 * Most requests end before the first renewal.
 */
export function createKeyKeeper(sql: Sql): KeyKeeper {
  const kept = new Set<HeldKey>();
  let timer: NodeJS.Timeout | undefined;
  let renewing = false;

  function renew(): void {
    if (renewing) return;
    renewing = true;
    renewKeys(sql, [...kept])
      // A missed renewal at worst costs the leases, which every statement of a request checks.
      .catch(() => {})
      .finally(() => {
        renewing = false;
      });
  }

  return {
    keep(heldKey) {
      kept.add(heldKey);
      timer ??= setInterval(renew, RENEW_EVERY_MS);
      return () => {
        kept.delete(heldKey);
        if (kept.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
