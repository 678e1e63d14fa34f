import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { serviceBusy } from '../http/body/read-bytes';
import type { Bounds } from '../platform/config/bounds';
import {
  createThreadPool,
  type ThreadPool,
  ThreadsBusyError,
} from '../platform/threads/thread-pool';
import { MENU_THREADS } from '../uploads/preparation/menu-bounds';
import type { MenuImage } from '../uploads/preparation/menu-tasks';
import type { VersionWork, WrittenVersion } from './version-work';
import type { PreviewedMenu, PreviewTask, PreviewWork, PreviewWorkResult } from './preview-task';

/** Makes previews in threads. Throws the 503 while too many wait. */
export interface MenuPreviewer {
  /** Undefined if it takes too long or too much memory. */
  preview(
    menu: Uint8Array,
    task: Omit<PreviewTask, 'kind' | 'text'>,
  ): Promise<PreviewedMenu | undefined>;
  /** The images of a menu, in the order of its items; undefined if that takes too long. */
  images(menu: Uint8Array): Promise<readonly MenuImage[] | undefined>;
  /** The result of work on stored texts; undefined if that takes too long. */
  write(work: VersionWork): Promise<WrittenVersion | undefined>;
  close(): Promise<void>;
}

export interface MenuPreviewerOptions {
  /** Time limit of one menu in one app, ms. */
  readonly deadlineMs: number;
  readonly bounds: Bounds;
  /** The code of the threads, if not the default. */
  readonly file?: string;
}

/** One processor is left to the event loop: stock events must not wait for previews. */
const THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));

export function createMenuPreviewer({
  deadlineMs,
  bounds,
  file = join(__dirname, 'preview-thread'),
}: MenuPreviewerOptions): MenuPreviewer {
  const pool: ThreadPool<PreviewWork, PreviewWorkResult> = createThreadPool({
    file,
    deadlineMs,
    threads: THREADS,
    ...MENU_THREADS,
  });
  const bound = bounds.declare('waiting_previews', {
    limit: MENU_THREADS.maxWaiting,
    used: () => pool.waiting(),
  });

  /** Texts are copied, because a transferred one would be gone, and the next app needs it too. */
  async function run(work: PreviewWork): Promise<PreviewWorkResult | undefined> {
    try {
      const outcome = await pool.run(async () => ({ value: work, transfer: [] }));
      if (outcome.kind === 'done') return outcome.value;
      bound.hit();
      return undefined;
    } catch (error) {
      if (!(error instanceof ThreadsBusyError)) throw error;
      bound.hit();
      throw serviceBusy();
    }
  }

  return {
    async preview(menu, task) {
      const result = await run({ ...task, kind: 'preview', text: menu });
      return result?.kind === 'previewed' ? result : undefined;
    },
    async images(menu) {
      const result = await run({ kind: 'images', text: menu });
      return result?.kind === 'images' ? result.images : undefined;
    },
    async write(work) {
      const result = await run(work);
      return result?.kind === 'written' ? result : undefined;
    },
    close: () => pool.close(),
  };
}
