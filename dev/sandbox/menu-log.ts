import type { StoreStates } from './store-states';
import { createHash } from 'node:crypto';

export interface KeptMenu {
  readonly storeId: string;
  /** ISO 8601 UTC with ms. */
  readonly receivedAt: string;
  readonly sha256: string;
  readonly bytes: number;
  /** The JSON text as received; null once its room was needed. */
  payload: Buffer | null;
}

export interface MenuLog {
  /** Makes `payload`, JSON text, the menu that the store shows. */
  keep(storeId: string, payload: Buffer): void;
  /** Makes the store show another menu, or none, as if changed in the app's own tool; it is not listed. */
  replace(storeId: string, payload: Buffer | null): void;
  /** The same after a change of single items by the app's own calls: what is off sale stays so. */
  change(storeId: string, payload: Buffer): void;
  /** What the store shows now. */
  current(storeId: string): KeptMenu | undefined;
  /** Oldest first. */
  list(): readonly KeptMenu[];
  clear(): void;
}

const MAX_MENUS = 10_000;
/** Payloads of menus that are no longer shown; a benchmark sends thousands of 259 kB each. */
const MAX_OLD_BYTES = 64 * 1_048_576;

/**
 * Every menu that an app made its own: the last 10,000, with the payload of each store's current menu and of as
 * many older ones as fit into 64 MB. Payloads are kept as text: parsed they take several times the room, and
 * numbers above 2^53 would change.
 */
export function createMenuLog(clock: () => number, stores?: StoreStates): MenuLog {
  let menus: KeptMenu[] = [];
  let replaced: KeptMenu[] = [];
  let replacedBytes = 0;
  const current = new Map<string, KeptMenu>();

  function retire(menu: KeptMenu): void {
    replaced.push(menu);
    replacedBytes += menu.bytes;
    while (replacedBytes > MAX_OLD_BYTES) {
      const oldest = replaced.shift();
      if (!oldest) return;
      oldest.payload = null;
      replacedBytes -= oldest.bytes;
    }
  }

  function keptMenu(storeId: string, payload: Buffer): KeptMenu {
    return {
      storeId,
      receivedAt: new Date(clock()).toISOString(),
      sha256: createHash('sha256').update(payload).digest('hex'),
      bytes: payload.length,
      payload,
    };
  }

  function put(storeId: string, payload: Buffer | null): void {
    const before = current.get(storeId);
    if (before) retire(before);
    if (payload) current.set(storeId, keptMenu(storeId, payload));
    else current.delete(storeId);
  }

  return {
    keep(storeId, payload) {
      const menu = keptMenu(storeId, payload);
      const before = current.get(storeId);
      if (before) retire(before);
      current.set(storeId, menu);
      menus.push(menu);
      if (menus.length > MAX_MENUS) menus.shift();
      stores?.showMenu(storeId, payload, 'upload');
    },
    replace(storeId, payload) {
      put(storeId, payload);
      stores?.showMenu(storeId, payload, 'control');
    },
    change(storeId, payload) {
      put(storeId, payload);
      stores?.changeMenu(storeId, payload);
    },
    current: (storeId) => current.get(storeId),
    list: () => menus,
    clear() {
      menus = [];
      replaced = [];
      replacedBytes = 0;
      current.clear();
      stores?.clear();
    },
  };
}
