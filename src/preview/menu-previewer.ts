import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { BOUNDS } from '../platform/admission/bounds';
import type { Bounds } from '../platform/admission/bound-metrics';
import type { UserId } from '../platform/ids';
import {
  createThreadPool,
  type HeldThread,
  refuseIfBusy,
  type ThreadPool,
} from '../platform/threads/thread-pool';
import type { Handed } from '../platform/threads/serve-thread';
import type { ThreadOutcome } from '../platform/threads/thread-outcome';
import { MENU_THREADS } from '../uploads/preparation/menu-bounds';
import type { MenuImage } from '../uploads/preparation/menu-tasks';
import type { VersionWork, WrittenVersion } from './version-work';
import type { PreviewedMenu, PreviewTask, PreviewWork, PreviewWorkResult } from './preview-task';

/** Makes previews in threads, in turns by the user who asks. Throws the 503 while too many wait. */
export interface MenuPreviewer {
  /**
   * Waits for a thread that previews one menu in all its apps. The next menu begins when this one has ended, because its
   * results stay in memory until its answer is complete. A menu that takes long lets others go first between its apps.
   */
  begin(key: UserId): Promise<BegunPreview>;
  /** The images of a menu, in the order of its items; undefined if that takes too long. */
  images(key: UserId, menu: Uint8Array): Promise<readonly MenuImage[] | undefined>;
  /** The result of work on stored texts, read once there is a thread; undefined if the work takes too long. */
  write(key: UserId, work: () => Promise<VersionWork>): Promise<WrittenVersion | undefined>;
  close(): Promise<void>;
}

/** The preview of one menu, which has a thread. */
export interface BegunPreview {
  /** The menu in one app; undefined if it takes too long or too much memory. */
  previewIn(
    menu: Uint8Array,
    task: Omit<PreviewTask, 'kind' | 'text'>,
  ): Promise<PreviewedMenu | undefined>;
  /** Lets the next menu begin. Must be called, also after an error. */
  end(): void;
}

export interface MenuPreviewerOptions {
  /** Time limit of one menu in one app, ms. */
  readonly deadlineMs: number;
  readonly bounds: Bounds;
  /** The code of the threads, if not the default. */
  readonly file?: string;
  /** Of this machine, if not what it says. */
  readonly processors?: number;
}

/** A menu that takes longer, ms, lets others go first between two apps. */
const LONGEST_HOLD_MS = 250;

export function createMenuPreviewer({
  deadlineMs,
  bounds,
  file = join(__dirname, 'preview-thread'),
  processors = availableParallelism(),
}: MenuPreviewerOptions): MenuPreviewer {
  // One processor is left to the event loop: stock events must not wait for previews. With two, the thread shares the
  // other one with the rest of the service, so while menus wait, it rests after each for as long as that one took.
  const threads = Math.max(1, Math.min(4, processors - 1));
  const rests = processors <= 2;
  const pool: ThreadPool<PreviewWork, PreviewWorkResult> = createThreadPool({
    file,
    deadlineMs,
    threads,
    ...MENU_THREADS,
    maxWaiting: BOUNDS.waiting_previews.limit,
  });
  const bound = bounds.declare('waiting_previews', {
    used: () => pool.waiting(),
  });

  /** The result of a task, undefined without one; the 503 if there was no thread for it. */
  async function outcomeOf(
    key: UserId,
    task: Promise<ThreadOutcome<PreviewWorkResult>>,
  ): Promise<PreviewWorkResult | undefined> {
    const outcome = await task.catch(refuseIfBusy(bound, key));
    if (outcome.kind === 'done') return outcome.value;
    bound.hit(key);
    return undefined;
  }

  const run = (key: UserId, work: () => Promise<PreviewWork>) =>
    outcomeOf(
      key,
      pool.run(key, async () => handed(await work())),
    );

  return {
    async begin(key) {
      let thread: HeldThread<PreviewWork, PreviewWorkResult> | undefined;
      let heldAt = 0;
      async function hold() {
        thread = await pool.hold(key).catch(refuseIfBusy(bound, key));
        heldAt = performance.now();
        return thread;
      }
      function end() {
        if (!thread) return;
        const ended = thread;
        thread = undefined;
        if (!rests || pool.waiting() === 0) return ended.release();
        const restMs = Math.min(performance.now() - heldAt, LONGEST_HOLD_MS);
        setTimeout(() => ended.release(), restMs);
      }
      await hold();
      return {
        async previewIn(menu, task) {
          if (performance.now() - heldAt > LONGEST_HOLD_MS) end();
          const work: PreviewWork = { ...task, kind: 'preview', text: menu };
          const result = await outcomeOf(key, (thread ?? (await hold())).run(handed(work)));
          return result?.kind === 'previewed' ? result : undefined;
        },
        end,
      };
    },
    async images(key, menu) {
      const result = await run(key, async () => ({ kind: 'images', text: menu }));
      return result?.kind === 'images' ? result.images : undefined;
    },
    async write(key, work) {
      const result = await run(key, work);
      return result?.kind === 'written' ? result : undefined;
    },
    close: () => pool.close(),
  };
}

/** Texts are copied, because a transferred one would be gone, and the next app needs it too. */
function handed(work: PreviewWork): Handed<PreviewWork> {
  return { value: work, transfer: [] };
}
