import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Bounds } from '../../platform/admission/bound-metrics';
import type { Document } from '../sql/documents';
import type { PreparedMenu } from '../../delivery-apps/prepare-menu';
import type { MenuComparison } from '../../delivery-apps/app-client';
import type { AppName, ItemCallPlan } from '../../delivery-apps/types';
import type { DocumentStore } from '../documents';
import type { AppliedChanges } from '../../menus/wanted-changes/apply-changes';
import type { Handed } from '../../platform/threads/serve-thread';
import {
  createThreadPool,
  type ThreadPool,
  ThreadsBusyError,
} from '../../platform/threads/thread-pool';
import { declareMenuBounds, MENU_THREADS } from './menu-bounds';
import type { Drift } from '../../delivery-apps/shown-changes';
import {
  bufferOf,
  carryOut,
  type DriftTask,
  type ChangeTask,
  type ItemCallTask,
  listImages,
  type MenuImage,
  type MenuTask,
  type MenuTaskResult,
  type OffSaleTask,
  type PrepareTask,
  prepareSmallText,
  type ReadTask,
  type UnorderableTask,
} from './menu-tasks';

/** A stored menu: its hash and the length of its text. */
export interface KeptMenu {
  readonly sha256: string;
  readonly size: number;
}

export interface PreparedDocument extends Pick<
  PreparedMenu,
  'losses' | 'lossCounts' | 'itemIds' | 'offSale' | 'seasons'
> {
  /** The payload, compressed for its row. */
  readonly document: Document;
  readonly hasImages: boolean;
}

/** Does the slow work on large menus without blocking the event loop. */
export interface MenuPreparer {
  /** The work for a key, the user whose menu it is or else its store: the threads take turns by it. */
  by(key: string): MenuWork;
  close(): Promise<void>;
}

export interface MenuWork {
  /**
   * Undefined if it takes too long or too much memory; a retry would too. Throws `ThreadsBusyError` if no thread becomes
   * free in time. `atOnce`: throws a `NeedsThreadError` if it would need one.
   */
  prepare(
    menu: KeptMenu,
    task: Omit<PrepareTask, 'kind' | 'text'>,
    options?: { readonly atOnce?: boolean },
  ): Promise<PreparedDocument | undefined>;
  images(menu: KeptMenu): Promise<readonly MenuImage[] | undefined>;
  /** A transformed payload with these items off sale. Undefined, and throws, as `prepare` does. */
  takeOffSale(
    payload: Buffer,
    task: Omit<OffSaleTask, 'kind' | 'text'>,
  ): Promise<Buffer | undefined>;
  /** See `compareMenus` of the app. */
  compare(app: AppName, pushed: Buffer, payload: Buffer): Promise<MenuComparison>;
  /** What a reader of the app finds in a text; undefined = unreadable, or not in time. */
  readText(task: Omit<ReadTask, 'kind'>): Promise<readonly string[] | undefined>;
  /** How the menu that an app shows differs from the pushed one; undefined = unreadable, or not in time. */
  drift(task: Omit<DriftTask, 'kind'>): Promise<Drift | undefined>;
  /** A kept menu with these changes, one after the other; undefined and throws as `prepare` does. */
  change(menu: KeptMenu, changes: ChangeTask['changes']): Promise<AppliedChanges | undefined>;
  /** The calls about items that spare a push; undefined = only a push can, or it cannot be said in time. */
  itemCalls(task: Omit<ItemCallTask, 'kind'>): Promise<ItemCallPlan | undefined>;
  /** See `unorderableItems`; none if it cannot be said in time. */
  unorderable(task: Omit<UnorderableTask, 'kind'>): Promise<readonly (readonly string[])[]>;
}

/**
 * Menus up to this size, with payloads up to 1 MB, are prepared in the event loop, which blocks it for 5 ms. A thread
 * costs 0.2 ms more for the transfer, and 50 ms if it must be started.
 */
export const SMALL_MENU_BYTES = 256 * 1_024;
const SMALL_PAYLOAD_BYTES = 1_048_576;

/** The menu, or its payload, is too large to be prepared in the event loop. */
export class NeedsThreadError extends Error {
  constructor() {
    super('the menu must be prepared in a thread');
  }
}

/** At least two, so that a menu that runs until its deadline does not block all others. */
const THREADS = Math.max(2, Math.min(4, availableParallelism()));

export interface MenuPreparerOptions {
  readonly documents: DocumentStore;
  /** Time limit for one menu in a thread, ms. */
  readonly deadlineMs: number;
  /** Reports how full the limits are; undefined = no report. */
  readonly bounds?: Bounds | undefined;
  /** The code of the threads, if not the default. */
  readonly file?: string;
  /** The longest wait for a thread, ms, if not the default. */
  readonly longestWaitMs?: number;
}

export function createMenuPreparer({
  documents,
  deadlineMs,
  bounds,
  file = join(__dirname, 'menu-thread'),
  longestWaitMs = MENU_THREADS.longestWaitMs,
}: MenuPreparerOptions): MenuPreparer {
  const pool: ThreadPool<MenuTask, MenuTaskResult> = createThreadPool({
    file,
    deadlineMs,
    threads: THREADS,
    ...MENU_THREADS,
    longestWaitMs,
  });

  const told = bounds && declareMenuBounds(bounds, () => pool.waiting());

  async function run(
    key: string,
    input: () => Promise<Handed<MenuTask>>,
  ): Promise<MenuTaskResult | undefined> {
    try {
      const outcome = await pool.run(key, input);
      return outcome.kind === 'done' ? outcome.value : undefined;
    } catch (error) {
      if (error instanceof ThreadsBusyError) told?.busy(key);
      throw error;
    }
  }

  async function inThread(
    key: string,
    read: () => Promise<Buffer>,
    taskFor: (text: Uint8Array) => MenuTask,
  ): Promise<MenuTaskResult | undefined> {
    return run(key, async () => {
      // A copy: the text may be cached, and the thread takes the transferred memory away.
      const text = new Uint8Array(await read());
      return { value: taskFor(text), transfer: [text.buffer] };
    });
  }

  /**
   * Reads texts of so many bytes. Undefined = not in time, also if no thread is free: some menus have been pushed
   * already, and a retry would push them again.
   */
  async function ifInTime(
    key: string,
    task: MenuTask,
    bytes: number,
  ): Promise<MenuTaskResult | undefined> {
    if (bytes <= SMALL_MENU_BYTES) return carryOut(task);
    try {
      return await run(key, async () => ({ value: task, transfer: [] }));
    } catch (error) {
      if (error instanceof ThreadsBusyError) return undefined;
      throw error;
    }
  }

  const by = (key: string): MenuWork => ({
    async drift(given) {
      const task = { ...given, kind: 'drift' } as const;
      const result = await ifInTime(key, task, task.text.length + task.payload.length);
      return result?.kind === 'drift' ? result.drift : undefined;
    },
    async change(menu, changes) {
      const text = await documents.read(menu.sha256);
      const result =
        menu.size <= SMALL_MENU_BYTES
          ? carryOut({ kind: 'change', text, changes })
          : await inThread(
              key,
              async () => text,
              (moved) => ({ kind: 'change', text: moved, changes }),
            );
      if (result?.kind !== 'changed') return undefined;
      const { applied } = result;
      return applied.ok ? { ok: true, text: bufferOf(applied.text) } : applied;
    },
    async itemCalls(given) {
      const task = { ...given, kind: 'item_calls' } as const;
      const result = await ifInTime(key, task, task.text.length + task.before.length);
      return result?.kind === 'item_calls' ? result.plan : undefined;
    },
    async unorderable(given) {
      const task = { ...given, kind: 'unorderable' } as const;
      const result = await ifInTime(key, task, task.text.length);
      return result?.kind === 'unorderable' ? result.ids : [];
    },
    async readText(given) {
      const task = { ...given, kind: 'read' } as const;
      const result = await ifInTime(key, task, task.text.length + task.about.length);
      return result?.kind === 'read' ? result.found : undefined;
    },
    async prepare(menu, task, { atOnce = false } = {}) {
      const besides = (task.besides ?? []).reduce((size, { length }) => size + length, 0);
      if (menu.size + besides <= SMALL_MENU_BYTES) {
        const text = await documents.read(menu.sha256);
        const prepared = prepareSmallText({ ...task, kind: 'prepare', text }, SMALL_PAYLOAD_BYTES);
        if (prepared) {
          told?.met(key, prepared);
          return { ...prepared, document: await documents.pack(prepared.payload) };
        }
      }
      if (atOnce) throw new NeedsThreadError();
      const read = () => documents.read(menu.sha256);
      const result = await inThread(key, read, (text) => ({ ...task, kind: 'prepare', text }));
      const prepared = result?.kind === 'prepared' ? result : undefined;
      told?.met(key, prepared);
      if (!prepared) return undefined;
      const document = {
        ...prepared.document,
        contentGzip: bufferOf(prepared.document.contentGzip),
      };
      documents.remember(document.sha256, bufferOf(prepared.payload));
      return { ...prepared, document };
    },
    async images(menu) {
      const read = () => documents.read(menu.sha256);
      const result =
        menu.size <= SMALL_MENU_BYTES
          ? listImages(await read())
          : await inThread(key, read, (text) => ({ kind: 'images', text }));
      return result?.kind === 'images' ? result.images : undefined;
    },
    async takeOffSale(payload, { app, items }) {
      // Postgres gives a list of its own kind, which may not go to a thread.
      const task = { kind: 'off_sale', app, items: [...items] } as const;
      const result =
        payload.length <= SMALL_MENU_BYTES
          ? carryOut({ ...task, text: payload })
          : await inThread(
              key,
              async () => payload,
              (text) => ({ ...task, text }),
            );
      if (!result) told?.met(key, undefined);
      return result?.kind === 'off_sale' ? bufferOf(result.payload) : undefined;
    },
    async compare(app, pushed, payload) {
      const task = { kind: 'compare', app, text: pushed, payload } as const;
      const result = await ifInTime(key, task, pushed.length + payload.length);
      return result?.kind === 'compared' ? result.comparison : 'unreadable';
    },
  });
  return { by, close: () => pool.close() };
}
