import { BOUNDS } from '../platform/admission/bounds';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bounds } from '../platform/admission/bound-metrics';
import { createBoundPermits } from '../platform/admission/permits';
import type { AttemptKey } from './sql/upload-attempts';

/** The pushes of this process. A slow one outlasts the call that began it, and a later call waits for its report. */
export interface PushesUnderWay<Report> {
  /** Whether this process has the attempt's push, or keeps its report. */
  has(attempt: AttemptKey): boolean;
  /**
   * The report of the attempt's push in this process, which `push` begins if there is none. Rejects as `push` does; the
   * next call then begins another one. `givenUp`: the call is; when all calls for a push are, its pauses end.
   */
  report(attempt: AttemptKey, push: Push<Report>, givenUp: AbortSignal): Promise<Report>;
  /**
   * The same, but undefined if the push takes longer than a moment, if many calls wait here already, or if the process
   * stops: the push goes on, and `report` waits for it. Calls with the same `peer`, to which they push, share permits.
   */
  reportPromptly(
    attempt: AttemptKey,
    push: Push<Report>,
    peer?: string,
  ): Promise<Report | undefined>;
  /** The process stops: from now on no prompt call waits. */
  stop(): void;
  /** Ends the pauses of all pushes, and resolves when none is under way. */
  ended(): Promise<void>;
}

/** `abandoned`: nobody waits for the push any more, so it may not pause. */
type Push<Report> = (abandoned: AbortSignal) => Promise<Report>;

export interface PushesUnderWayOptions {
  readonly bounds: Bounds;
  /** Called with the failure of a push for which no call was waiting, unless its pauses were ended. */
  readonly onLost: (attempt: AttemptKey, error: unknown) => void;
  /** How long `reportPromptly` waits, ms. */
  readonly promptMs?: number;
  /** How many of its calls wait at a time. */
  readonly mostPrompt?: number;
  /** How long the report of a slow push is kept for the call that comes for it, ms. */
  readonly keptMs?: number;
}

/** Most apps answer within it. */
const PROMPT_MS = 1_000;
/** Each has one of the worker's slots for workflow tasks; half of these stay free for others. */
const MOST_PROMPT = BOUNDS.prompt_pushes.limit;
const KEPT_MS = 10_000;

interface PushHere<Report> {
  readonly report: Promise<Report>;
  readonly abandoned: AbortController;
  /** Calls that wait for the report. */
  calls: number;
  /** A later call comes for the report. */
  isLeft: boolean;
}

export function createPushesUnderWay<Report>({
  bounds,
  onLost,
  promptMs = PROMPT_MS,
  mostPrompt = MOST_PROMPT,
  keptMs = KEPT_MS,
}: PushesUnderWayOptions): PushesUnderWay<Report> {
  const pushes = new Map<string, PushHere<Report>>();
  const promptPermits = createBoundPermits('prompt_pushes', bounds, mostPrompt);
  let isStopping = false;

  function joinOrBegin(attempt: AttemptKey, push: Push<Report>): PushHere<Report> {
    const id = idOf(attempt);
    const known = pushes.get(id);
    if (known) return known;
    const abandoned = new AbortController();
    const begun: PushHere<Report> = {
      report: push(abandoned.signal),
      abandoned,
      calls: 0,
      isLeft: false,
    };
    pushes.set(id, begun);
    const forget = (): boolean => pushes.delete(id);
    begun.report.then(
      () => {
        if (begun.isLeft) setTimeout(forget, keptMs).unref();
        else forget();
      },
      (error: unknown) => {
        forget();
        if (begun.calls === 0 && !abandoned.signal.aborted) onLost(attempt, error);
      },
    );
    return begun;
  }

  async function waitPromptly(begun: PushHere<Report>, peer: string): Promise<Report | undefined> {
    const release = isStopping ? undefined : promptPermits.take(peer);
    const reported = new AbortController();
    const moment = delay(release ? promptMs : 0, undefined, { signal: reported.signal });
    begun.calls += 1;
    try {
      return await Promise.race([begun.report, moment.then(() => undefined)]);
    } finally {
      begun.calls -= 1;
      begun.isLeft = true;
      moment.catch(() => {}); // it is not waited for any more
      reported.abort();
      release?.();
    }
  }

  return {
    has: (attempt) => pushes.has(idOf(attempt)),
    async report(attempt, push, givenUp) {
      const begun = joinOrBegin(attempt, push);
      let isWaiting = true;
      begun.calls += 1;
      const leave = (): void => {
        if (isWaiting) begun.calls -= 1;
        isWaiting = false;
      };
      const giveUp = (): void => {
        leave();
        if (begun.calls === 0) begun.abandoned.abort();
      };
      givenUp.addEventListener('abort', giveUp, { once: true });
      try {
        return await begun.report;
      } finally {
        givenUp.removeEventListener('abort', giveUp);
        leave();
      }
    },
    reportPromptly: (attempt, push, peer = '') => waitPromptly(joinOrBegin(attempt, push), peer),
    stop() {
      isStopping = true;
    },
    async ended() {
      for (const { abandoned } of pushes.values()) abandoned.abort();
      await Promise.allSettled([...pushes.values()].map(({ report }) => report));
    },
  };
}

function idOf({ uploadId, attemptNo }: AttemptKey): string {
  return `${uploadId}/${attemptNo}`;
}
