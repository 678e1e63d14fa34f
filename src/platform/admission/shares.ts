/** How much there is of something that callers share, in any unit; without a number there is no such limit. */
export interface ShareLimits {
  /** What all keys may hold together. */
  readonly ofAll?: number;
  /**
   * What one key, such as a user, may hold. `three quarters` is the rule wherever callers share one thing: most
   * deployments have one busy user, who may have that much of it; the last quarter is for keys that hold less than a
   * sixteenth of it beside the request in question, so that something is left for another one whatever the busy one
   * does.
   */
  readonly ofKey?: number | 'three quarters';
}

/** How much is held of how much. */
export interface Fill {
  /** What all may hold, or one key where only that is limited. */
  readonly limit: number;
  /** How much of it is held: by all, or by the key that holds the most. */
  readonly used: () => number;
}

/** What one request holds of it. */
export interface Held {
  /** Changes it to so much; false, and unchanged, if there is too little. Making it smaller always works. */
  readonly resize: (amount: number) => boolean;
  /** Gives all of it back; may be called repeatedly. */
  readonly release: () => void;
}

/**
 * Something of which there is a limited amount in a process, shared by those who ask for it: bytes of bodies, permits
 * of requests. It is given now or not at all; nobody waits here, see `PermitQueue`. What is taken without a key, for
 * the service's own work, counts for all.
 */
export interface Shares<Key = void> extends Fill {
  /**
   * Takes so much for the key; undefined if there is too little now. What is of unknown size takes 0 and grows: it is
   * refused only if nothing at all is left.
   */
  readonly take: (key: Key, amount: number) => Held | undefined;
  /** How much the key holds; always 0 where keys have no limit. */
  readonly heldBy: (key: Key) => number;
  /** Only the last quarter is left, which not every key gets. */
  readonly isTight: () => boolean;
  /** Whether the key would get as little as there is, now. */
  readonly hasAnyFor: (key: Key) => boolean;
  /** More than half of all is held, and more than a sixteenth of it by this key. */
  readonly isPressedBy: (key: Key) => boolean;
}

const LARGEST_SHARE = 3 / 4;
const SMALL_SHARE = 1 / 16;

export function createShares<Key = void>({
  ofAll = Infinity,
  ofKey = Infinity,
}: ShareLimits): Shares<Key> {
  let used = 0;
  /** Only where keys have a limit: a statement, and most requests, have none. */
  const byKey = ofKey === Infinity ? undefined : new Map<Key, number>();
  const largest = Math.floor(ofAll * LARGEST_SHARE);
  const small = ofAll * SMALL_SHARE;
  const heldBy = (key: Key) => byKey?.get(key) ?? 0;

  /** How much a request of the key may hold that holds `own` now. */
  function mostFor(key: Key, own: number): number {
    const beside = heldBy(key) - own;
    if (ofKey !== 'three quarters') return Math.min(ofAll - used + own, ofKey - beside);
    return (beside < small ? ofAll : largest) - used + own;
  }

  function count(key: Key, change: number): void {
    used += change;
    if (!byKey || key === undefined) return;
    const own = heldBy(key) + change;
    if (own > 0) byKey.set(key, own);
    else byKey.delete(key);
  }

  return {
    limit: ofAll === Infinity && typeof ofKey === 'number' ? ofKey : ofAll,
    used: () => (byKey && ofAll === Infinity ? Math.max(0, ...byKey.values()) : used),
    heldBy,
    isTight: () => used >= largest,
    hasAnyFor: (key) => mostFor(key, 0) > 0,
    isPressedBy: (key) => used > ofAll / 2 && heldBy(key) > small,
    take(key, amount) {
      const most = mostFor(key, 0);
      if (most <= 0 || amount > most) return undefined;
      let own = amount;
      let isOpen = true;
      count(key, own);
      return {
        resize(wanted) {
          if (!isOpen || (wanted > own && wanted > mostFor(key, own))) return false;
          count(key, wanted - own);
          own = wanted;
          return true;
        },
        release() {
          if (isOpen) count(key, -own);
          isOpen = false;
        },
      };
    },
  };
}
