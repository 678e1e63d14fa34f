import type { Log } from './log';

/** Logs a repeated failure when it begins, once a minute while it lasts, and when it is over. */
export interface OutageLog {
  /** It failed again; `error` is omitted if there is none. */
  failed(error?: unknown): void;
  over(): void;
}

export interface OutageWords {
  readonly begun: string;
  readonly over: string;
}

const AGAIN_MS = 60_000;

export function createOutageLog(log: Log, words: OutageWords, clock = Date.now): OutageLog {
  let begunAt: number | null = null;
  let saidAt = 0;
  return {
    failed(error) {
      const now = clock();
      if (begunAt !== null && now - saidAt < AGAIN_MS) return;
      begunAt ??= now;
      saidAt = now;
      const since = { for_seconds: Math.round((now - begunAt) / 1000) };
      log.warn(error === undefined ? since : { ...since, err: error }, words.begun);
    },
    over() {
      if (begunAt === null) return;
      log.info({ for_seconds: Math.round((clock() - begunAt) / 1000) }, words.over);
      begunAt = null;
    },
  };
}
