import type { LineReport } from '../lines/line-report';
import type { Log } from '../../platform/observe/log';
import { inBackground } from '../../platform/in-background';
import type { LineRefusal } from '../sql/line-promises';
import type { Begun, LineDrain } from './line-drain';

export interface DrainsAheadDeps {
  /** Begins the drain of a line, if it can. */
  readonly begin: (line: number) => Promise<Begun | LineRefusal>;
  /** Delivers until the drain ends. */
  readonly hold: (line: number, begun: Begun, signal: AbortSignal) => Promise<LineReport>;
  /** The lines of this process, by number. */
  readonly lines: ReadonlyMap<number, LineDrain>;
  readonly log: Log;
}

/**
 * Drains that begin when their process hears of deliveries, ahead of the activity that will have them. Lines that wake
 * together would wait for each other otherwise: starting the workflow and the activity of each takes some 30 ms of
 * CPU. The promise of a line lets only one drain have it, whoever begins it.
 *
 * The activity adopts the drain when it comes. If it comes to another process after all, it waits there for the end of
 * the drain, and begins one when this process dies. If it never comes, what the drain leaves for later is found when it
 * is due, as for any line without a drain.
 */
export interface DrainsAhead {
  /** Begins the drain of a line, unless that has been done. Never throws: the workflow of the line begins it too. */
  begin(line: number): void;
  /**
   * The drain of this line that has begun ahead belongs to the caller from now on: aborting `signal` stops it. Undefined
   * without one, or when it ended without having heard of all that the caller may have been started for.
   */
  adopt(line: number, signal: AbortSignal): Promise<LineReport | undefined>;
  /** Resolves when all have ended. */
  ended(): Promise<void>;
}

interface DrainAhead {
  readonly stopping: AbortController;
  isBeginning: boolean;
  isAdopted: boolean;
  /** Undefined: it could not begin. */
  readonly report: Promise<LineReport | undefined>;
}

export function createDrainsAhead({ begin, hold, lines, log }: DrainsAheadDeps): DrainsAhead {
  /** The latest of each line, until it has ended. */
  const drains = new Map<number, DrainAhead>();

  function start(line: number): DrainAhead {
    const stopping = new AbortController();
    const drain: DrainAhead = { stopping, isBeginning: true, isAdopted: false, report: run() };
    return drain;

    async function run(): Promise<LineReport | undefined> {
      // The activity tries again, and says why if it cannot.
      const begun = await begin(line).catch(() => 'away' as const);
      drain.isBeginning = false;
      return typeof begun === 'string' ? undefined : hold(line, begun, stopping.signal);
    }
  }

  function hearsAll(line: number, { isBeginning }: DrainAhead): boolean {
    return isBeginning || lines.get(line)?.isEnding() === false;
  }

  return {
    begin(line) {
      const latest = drains.get(line);
      if (latest && (latest.isBeginning || !latest.isAdopted)) return;
      const drain = start(line);
      drains.set(line, drain);
      const ended = drain.report.finally(() => {
        if (drains.get(line) === drain) drains.delete(line);
      });
      inBackground(ended, (error) =>
        log.warn({ line, err: error }, 'a drain that began ahead of its activity failed'),
      );
    },
    async adopt(line, signal) {
      const drain = drains.get(line);
      if (!drain || drain.isAdopted) return undefined;
      const isInTime = hearsAll(line, drain);
      drain.isAdopted = true;
      const stop = (): void => drain.stopping.abort();
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      try {
        const report = await drain.report;
        return isInTime ? report : undefined;
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    async ended() {
      await Promise.allSettled([...drains.values()].map(({ report }) => report));
    },
  };
}
