import { createHash } from 'node:crypto';
import type { ShownDay } from './special-days';

/** An item that is off sale, by the app's own id of it. */
export interface OffItem {
  readonly id: string;
  /** ms since epoch; null = without an end. */
  readonly until: number | null;
}

/** How an app reads a menu that it shows. */
export interface MenuReader {
  /** The items that the menu itself has off sale; `now` is ms since epoch. */
  offIn(payload: Buffer, now: number): readonly OffItem[];
  /** The ids of everything that can be switched. */
  itemIds(payload: Buffer): ReadonlySet<string>;
  /** Whether items off sale stay off when another menu comes. */
  readonly keepsOff: boolean;
}

type Cause = 'upload' | 'change' | 'availability' | 'pause' | 'until' | 'control';

/** One change of what guests see. */
interface TimelineEntry {
  /** ISO 8601 UTC with ms. */
  readonly at: string;
  readonly store_id: string;
  readonly cause: Cause;
  readonly sha256: string | null;
  readonly off: readonly string[];
  readonly paused: boolean;
}

export interface ShownStore {
  readonly payload: Buffer | null;
  readonly receivedAt: string | null;
  readonly off: readonly OffItem[];
  readonly paused: boolean;
  /** ms since epoch */
  readonly pausedUntil: number | null;
  readonly reason: string | null;
  /** Days with hours of their own. */
  readonly specialDays: readonly ShownDay[];
}

/** What guests of each store of an app see, and when it changed. */
export interface StoreStates {
  /** Another menu is shown; null takes it away. */
  showMenu(storeId: string, payload: Buffer | null, cause: 'upload' | 'control'): void;
  /** Single items of the shown menu are others; what is off sale and when the menu came stay as they are. */
  changeMenu(storeId: string, payload: Buffer): void;
  /** The ids among these that the shown menu does not have; all of them without a menu. */
  unknownItems(storeId: string, ids: readonly string[]): readonly string[];
  switchItems(storeId: string, off: readonly OffItem[], on: readonly string[]): void;
  pause(
    storeId: string,
    pause: {
      readonly paused: boolean;
      readonly until: number | null;
      readonly reason: string | null;
    },
  ): void;
  /** Replaces all days of the store with hours of their own. */
  setSpecialDays(storeId: string, days: readonly ShownDay[]): void;
  shown(storeId: string): ShownStore;
  /** Whether the store has ever shown anything or received a call. */
  has(storeId: string): boolean;
  /** All of these stores. */
  ids(): readonly string[];
  timeline(storeId: string | null): readonly TimelineEntry[];
  clearTimeline(): void;
  clear(): void;
}

/** Enough for every test, without growth in a benchmark that runs for hours. */
const MAX_ENTRIES = 10_000;

interface State {
  payload: Buffer | null;
  sha256: string | null;
  receivedAt: string | null;
  off: Map<string, number | null>;
  paused: boolean;
  pausedUntil: number | null;
  reason: string | null;
  specialDays: readonly ShownDay[];
}

export function createStoreStates(clock: () => number, reader: MenuReader): StoreStates {
  const states = new Map<string, State>();
  const known = new WeakMap<Buffer, ReadonlySet<string>>();
  let entries: TimelineEntry[] = [];

  function stateOf(storeId: string): State {
    const found = states.get(storeId);
    if (found) {
      passTimes(storeId, found);
      return found;
    }
    const made: State = {
      payload: null,
      sha256: null,
      receivedAt: null,
      off: new Map(),
      paused: false,
      pausedUntil: null,
      reason: null,
      specialDays: [],
    };
    states.set(storeId, made);
    return made;
  }

  function note(storeId: string, state: State, cause: Cause, at = clock()): void {
    entries.push({
      at: new Date(at).toISOString(),
      store_id: storeId,
      cause,
      sha256: state.sha256,
      off: [...state.off.keys()],
      paused: state.paused,
    });
    if (entries.length > MAX_ENTRIES) entries = entries.slice(-MAX_ENTRIES);
  }

  /** Notes a change only if guests see something else: an item off sale may be switched off once more. */
  function noteIfChanged(storeId: string, cause: Cause, change: (state: State) => void): void {
    const state = stateOf(storeId);
    const before = asSeen(state);
    change(state);
    if (asSeen(state) !== before) note(storeId, state, cause);
  }

  /** What ended by itself since the last look, each at its own time. */
  function passTimes(storeId: string, state: State): void {
    const now = clock();
    const ends = [...state.off].flatMap(([id, until]) =>
      until !== null && until <= now ? [{ at: until, end: () => state.off.delete(id) }] : [],
    );
    const { pausedUntil } = state;
    if (pausedUntil !== null && pausedUntil <= now) {
      ends.push({
        at: pausedUntil,
        end: () => {
          endPause(state);
          return true;
        },
      });
    }
    for (const { at, end } of ends.toSorted((one, other) => one.at - other.at)) {
      end();
      note(storeId, state, 'until', at);
    }
  }

  function idsOf(payload: Buffer): ReadonlySet<string> {
    const ids = known.get(payload) ?? reader.itemIds(payload);
    known.set(payload, ids);
    return ids;
  }

  function setPayload(state: State, payload: Buffer | null): void {
    state.payload = payload;
    state.sha256 = payload && createHash('sha256').update(payload).digest('hex');
  }

  return {
    showMenu(storeId, payload, cause) {
      const state = stateOf(storeId);
      const now = clock();
      setPayload(state, payload);
      state.receivedAt = payload && new Date(now).toISOString();
      const own = payload ? reader.offIn(payload, now) : [];
      const kept = reader.keepsOff && payload ? keptOff(state.off, idsOf(payload)) : [];
      state.off = new Map([...kept, ...own.map(({ id, until }) => [id, until] as const)]);
      note(storeId, state, cause);
    },
    changeMenu(storeId, payload) {
      const state = stateOf(storeId);
      setPayload(state, payload);
      note(storeId, state, 'change');
    },
    unknownItems(storeId, ids) {
      const { payload } = stateOf(storeId);
      return payload ? ids.filter((id) => !idsOf(payload).has(id)) : ids;
    },
    switchItems(storeId, off, on) {
      noteIfChanged(storeId, 'availability', (state) => {
        const now = clock();
        for (const { id, until } of off) {
          if (until !== null && until <= now) state.off.delete(id);
          else state.off.set(id, until);
        }
        for (const id of on) state.off.delete(id);
      });
    },
    pause(storeId, { paused, until, reason }) {
      noteIfChanged(storeId, 'pause', (state) => {
        state.paused = paused;
        state.pausedUntil = paused ? until : null;
        state.reason = paused ? reason : null;
      });
    },
    setSpecialDays(storeId, days) {
      stateOf(storeId).specialDays = days;
    },
    shown(storeId) {
      const state = stateOf(storeId);
      const { payload, receivedAt, paused, pausedUntil, reason, specialDays } = state;
      const off = [...state.off].map(([id, until]) => ({ id, until }));
      return { payload, receivedAt, off, paused, pausedUntil, reason, specialDays };
    },
    has: (storeId) => states.has(storeId),
    ids: () => [...states.keys()],
    timeline(storeId) {
      for (const [id, state] of states) passTimes(id, state);
      const found =
        storeId === null ? entries : entries.filter((each) => each.store_id === storeId);
      return found.toSorted((one, other) => one.at.localeCompare(other.at));
    },
    clearTimeline() {
      entries = [];
    },
    clear() {
      states.clear();
    },
  };
}

function asSeen({ off, paused }: State): string {
  return JSON.stringify([[...off.keys()].toSorted(), paused]);
}

function endPause(state: State): void {
  state.paused = false;
  state.pausedUntil = null;
  state.reason = null;
}

function keptOff(off: State['off'], ids: ReadonlySet<string>): [string, number | null][] {
  return [...off].filter(([id]) => ids.has(id));
}
