import type { LineReport } from '../lines/line-report';
import type { Log } from '../../platform/observe/log';
import { inBackground } from '../../platform/in-background';
import type { Begun, LineDrain } from './line-drain';

export interface DrainsAheadDeps {
  /** Begins the drain of a line, if no other one has it; undefined: another one has. */
  readonly begin: (line: number) => Promise<Begun | undefined>;
  /** Delivers until the drain ends. */
  readonly hold: (line: number, begun: Begun, signal: AbortSignal) => Promise<LineReport>;
  /** The lines of this process, by number. */
  readonly lines: ReadonlyMap<number, LineDrain>;
  /** The workflow of this line has not come to have its drain, which has this epoch. */
  readonly onUnadopted: (line: number, epoch: number) => void;
  readonly log: Log;
}

/**
 * Drains that begin when their process hears of deliveries, ahead of the activity that will have them. Lines that wake
 * together would wait for each other otherwise: starting the workflow and the activity of each takes some 30 ms of
 * CPU. The promise of a line lets only one drain have it, whoever begins it.
 *
 * If the activity comes to this process, it adopts the drain. Otherwise `onUnadopted` is called after 5 s, because the
 * signal to the workflow may have got lost; after 10 s the line is handed over, because the activity may wait in
 * another process.
 */
export interface DrainsAhead {
  /** Begins the drain of a line, unless that has been done. Never throws: the workflow of the line begins it too. */
  begin(line: number): void;
  /**
   * The drain of this line that has begun ahead belongs to the caller from now on: aborting `signal` stops it. Undefined
   * without one.
   */
  adopt(line: number, signal: AbortSignal): Promise<LineReport | undefined>;
  /** Resolves when all have ended. */
  ended(): Promise<void>;
}

interface DrainAhead {
  readonly stopping: AbortController;
  /** Undefined: another drain has the line. */
  readonly report: Promise<LineReport | undefined>;
}

/** An activity has come by then even if 16 lines begin at once on a busy machine, which takes 2 s. */
const ADOPTED_WITHIN_MS = 5_000;

export function createDrainsAhead(deps: DrainsAheadDeps): DrainsAhead {
  const { begin, hold, lines, onUnadopted, log } = deps;
  /** Those that no activity has adopted. */
  const drains = new Map<number, DrainAhead>();

  async function run(line: number, signal: AbortSignal): Promise<LineReport | undefined> {
    // The activity tries again, and says why if it cannot.
    const begun = await begin(line).catch(() => undefined);
    if (!begun) return undefined;
    const check = createAdoptionCheck(line, begun.epoch);
    const timer = setInterval(check, ADOPTED_WITHIN_MS).unref();
    return hold(line, begun, signal).finally(() => clearInterval(timer));
  }

  function createAdoptionCheck(line: number, epoch: number): () => void {
    let isTold = false;
    return () => {
      if (!drains.has(line)) return;
      const drain = lines.get(line);
      if (!isTold) onUnadopted(line, epoch);
      else if (drain?.offerable() === 'yes') drain.offer();
      isTold = true;
    };
  }

  return {
    begin(line) {
      if (drains.has(line)) return;
      const stopping = new AbortController();
      const drain = { stopping, report: run(line, stopping.signal) };
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
      if (!drain) return undefined;
      drains.delete(line);
      const stop = (): void => drain.stopping.abort();
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      try {
        return await drain.report;
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    async ended() {
      await Promise.allSettled([...drains.values()].map(({ report }) => report));
    },
  };
}
