import { setTimeout as delay } from 'node:timers/promises';
import { inBackground } from '../platform/in-background';
import type { AttemptKey } from './sql/upload-attempts';

/** The pushes of this process. A slow one outlasts the call that began it, and a later call waits for its report. */
export interface PushesUnderWay<Report> {
  /**
   * The report of the attempt's push in this process, which `push` begins if there is none. Rejects as `push` does; the
   * next call then begins another one. `cancelled`: the call is given up, which ends the pauses of the push.
   */
  report(attempt: AttemptKey, push: Push<Report>, cancelled: AbortSignal): Promise<Report>;
  /**
   * The same, but undefined if the push takes longer than a moment, or if many calls wait here already: it goes on, and
   * `report` waits for it.
   */
  reportPromptly(attempt: AttemptKey, push: Push<Report>): Promise<Report | undefined>;
  /** Ends pauses between tries, and resolves when no push is under way. */
  stop(): Promise<void>;
}

/** `signal`: nobody waits for the push any more, so it may not pause. */
type Push<Report> = (signal: AbortSignal) => Promise<Report>;

export interface PushesUnderWayOptions {
  /** How long `reportPromptly` waits, ms. */
  readonly promptMs?: number;
  /** How many of its calls wait at a time. */
  readonly mostPrompt?: number;
}

/** Most apps answer within it. */
const PROMPT_MS = 1_000;
/** Each has one of the worker's places for workflow tasks; half of them stay free for others. */
const MOST_PROMPT = 50;
/** How long the report of a push is kept for the call that comes for it, ms. */
const KEPT_MS = 10_000;

interface BegunPush<Report> {
  readonly report: Promise<Report>;
  readonly abandoned: AbortController;
  /** A later call comes for the report. */
  isLeft: boolean;
}

export function createPushesUnderWay<Report>({
  promptMs = PROMPT_MS,
  mostPrompt = MOST_PROMPT,
}: PushesUnderWayOptions = {}): PushesUnderWay<Report> {
  const pushes = new Map<string, BegunPush<Report>>();
  let promptCalls = 0;

  function joinOrBegin({ uploadId, attemptNo }: AttemptKey, push: Push<Report>): BegunPush<Report> {
    const id = `${uploadId}/${attemptNo}`;
    const known = pushes.get(id);
    if (known) return known;
    const abandoned = new AbortController();
    const begun = { report: push(abandoned.signal), abandoned, isLeft: false };
    pushes.set(id, begun);
    const forget = (): boolean => pushes.delete(id);
    const forgotten = begun.report.then(() => {
      if (begun.isLeft) setTimeout(forget, KEPT_MS).unref();
      else forget();
    }, forget);
    inBackground(forgotten, () => {}); // the next call for this push tries again, and reports its failure
    return begun;
  }

  async function within(ms: number, begun: BegunPush<Report>): Promise<Report | undefined> {
    const reported = new AbortController();
    const tooLate = delay(ms, undefined, { signal: reported.signal }).then(() => {
      begun.isLeft = true;
      return undefined;
    });
    try {
      return await Promise.race([begun.report, tooLate]);
    } finally {
      inBackground(tooLate, () => {}); // aborted
      reported.abort();
    }
  }

  return {
    report(attempt, push, cancelled) {
      const { report, abandoned } = joinOrBegin(attempt, push);
      cancelled.addEventListener('abort', () => abandoned.abort(), { once: true });
      return report;
    },
    async reportPromptly(attempt, push) {
      const waitsMs = promptCalls < mostPrompt ? promptMs : 0;
      promptCalls += 1;
      try {
        return await within(waitsMs, joinOrBegin(attempt, push));
      } finally {
        promptCalls -= 1;
      }
    },
    async stop() {
      for (const { abandoned } of pushes.values()) abandoned.abort();
      await Promise.allSettled([...pushes.values()].map(({ report }) => report));
    },
  };
}
