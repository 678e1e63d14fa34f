import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Bounds } from '../../platform/config/bounds';
import type { Document } from '../sql/documents';
import type { PreparedMenu } from '../../delivery-apps/prepare-menu';
import type { AppName, MenuComparison } from '../../delivery-apps/types';
import type { DocumentStore } from '../documents';
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
  listImages,
  type MenuImage,
  type MenuTask,
  type MenuTaskResult,
  type PrepareTask,
  prepareSmallText,
} from './menu-tasks';

/** A kept menu: by what it is read, and how long its text is. */
export interface KeptMenu {
  readonly sha256: string;
  readonly size: number;
}

export interface PreparedDocument extends Pick<PreparedMenu, 'losses' | 'lossCounts' | 'itemIds'> {
  /** The payload, packed for its row. */
  readonly document: Document;
  readonly hasImages: boolean;
}

/** Does what takes long for large menus, without holding the event loop. */
export interface MenuPreparer {
  /** Undefined when it takes too long or too much memory: trying again would too. */
  prepare(
    menu: KeptMenu,
    task: Omit<PrepareTask, 'kind' | 'text'>,
  ): Promise<PreparedDocument | undefined>;
  images(menu: KeptMenu): Promise<readonly MenuImage[] | undefined>;
  /** See `compareMenus` of the app. */
  compare(app: AppName, pushed: Buffer, shown: Buffer): Promise<MenuComparison>;
  /** How what an app shows differs from what was pushed; undefined = it cannot be read, or not in time. */
  drift(task: Omit<DriftTask, 'kind'>): Promise<Drift | undefined>;
  close(): Promise<void>;
}

/**
 * Up to this size, and with a payload of 1 MB at most, a menu is prepared in the event loop: that holds it for 5 ms. In
 * a thread it costs 0.2 ms more, for the way there and back, and 50 ms where one has to be started.
 */
const SMALL_MENU_BYTES = 256 * 1_024;
const SMALL_PAYLOAD_BYTES = 1_048_576;

/** One is not enough: a menu that takes until its deadline would hold all the others. */
const THREADS = Math.max(2, Math.min(4, availableParallelism()));

export interface MenuPreparerOptions {
  readonly documents: DocumentStore;
  /** Time of one menu in a thread, ms. */
  readonly deadlineMs: number;
  /** Where it is told how full the bounds of menus are; undefined where nobody asks. */
  readonly bounds?: Bounds | undefined;
  /** The code of the threads, where it is not ours. */
  readonly file?: string;
}

export function createMenuPreparer({
  documents,
  deadlineMs,
  bounds,
  file = join(__dirname, 'menu-thread'),
}: MenuPreparerOptions): MenuPreparer {
  const pool: ThreadPool<MenuTask, MenuTaskResult> = createThreadPool({
    file,
    deadlineMs,
    threads: THREADS,
    ...MENU_THREADS,
  });

  const told = bounds && declareMenuBounds(bounds, MENU_THREADS.maxWaiting, () => pool.waiting());

  async function run(input: () => Promise<Handed<MenuTask>>): Promise<MenuTaskResult | undefined> {
    try {
      const outcome = await pool.run(input);
      return outcome.kind === 'done' ? outcome.value : undefined;
    } catch (error) {
      if (error instanceof ThreadsBusyError) told?.busy();
      throw error;
    }
  }

  async function inThread(
    menu: KeptMenu,
    taskFor: (text: Uint8Array) => MenuTask,
  ): Promise<MenuTaskResult | undefined> {
    return run(async () => {
      // A copy: the text may stand in the cache, and what is handed over is gone.
      const text = new Uint8Array(await documents.read(menu.sha256));
      return { value: taskFor(text), transfer: [text.buffer] };
    });
  }

  /** Undefined also when no thread is free: the menu has been pushed, and trying again would push it again. */
  async function compareInThread(task: MenuTask): Promise<MenuTaskResult | undefined> {
    try {
      return await run(async () => ({ value: task, transfer: [] }));
    } catch (error) {
      if (error instanceof ThreadsBusyError) return undefined;
      throw error;
    }
  }

  return {
    async drift(given) {
      const task = { ...given, kind: 'drift' } as const;
      const isSmall = task.text.length + task.shown.length <= SMALL_MENU_BYTES;
      const result = isSmall ? carryOut(task) : await compareInThread(task);
      return result?.kind === 'drift' ? result.drift : undefined;
    },
    close: () => pool.close(),
    async prepare(menu, task) {
      if (menu.size <= SMALL_MENU_BYTES) {
        const text = await documents.read(menu.sha256);
        const prepared = prepareSmallText({ ...task, kind: 'prepare', text }, SMALL_PAYLOAD_BYTES);
        if (prepared) {
          told?.met(prepared);
          return { ...prepared, document: await documents.pack(prepared.payload) };
        }
      }
      const result = await inThread(menu, (text) => ({ ...task, kind: 'prepare', text }));
      const prepared = result?.kind === 'prepared' ? result : undefined;
      told?.met(prepared);
      if (!prepared) return undefined;
      const document = {
        ...prepared.document,
        contentGzip: bufferOf(prepared.document.contentGzip),
      };
      documents.remember(document.sha256, bufferOf(prepared.payload));
      return { ...prepared, document };
    },
    async images(menu) {
      const result =
        menu.size <= SMALL_MENU_BYTES
          ? listImages(await documents.read(menu.sha256))
          : await inThread(menu, (text) => ({ kind: 'images', text }));
      return result?.kind === 'images' ? result.images : undefined;
    },
    async compare(app, pushed, shown) {
      const task = { kind: 'compare', app, text: pushed, shown } as const;
      const isSmall = pushed.length + shown.length <= SMALL_MENU_BYTES;
      const result = isSmall ? carryOut(task) : await compareInThread(task);
      return result?.kind === 'compared' ? result.comparison : 'unreadable';
    },
  };
}
