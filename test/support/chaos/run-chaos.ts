import { setTimeout as delay } from 'node:timers/promises';
import { type Arena, startArena } from './arena';
import { type Judgement, judge } from './judge';
import { createLedger } from './ledger';
import { startLoad } from './load';
import { healWire, planStrikes, type Strike } from './strikes';
import { createWorld } from './world';

export interface ChaosOptions {
  readonly seed: number;
  /** How long faults and load go on, ms. */
  readonly ms: number;
  /** Called with each event as a line of text. */
  readonly onProgress?: (line: string) => void;
}

export interface ChaosReport extends Judgement {
  /** How often each fault was performed. */
  readonly strikes: ReadonlyMap<string, number>;
  readonly uploads: number;
  readonly events: number;
  /** Requests that callers had to send again. */
  readonly repeats: number;
  /** From the end of the faults until nothing was left to do, ms; null = something still was. */
  readonly settledMs: number | null;
  /** Where the logs are; null when they are gone, because all was well. */
  readonly logs: string | null;
}

/**
 * Recovery from Temporal's loss is the slowest: active workflows have a lease of 90 s, and rows overdue
 * by another 30 s are swept, perhaps twice.
 */
const SETTLE_WITHIN_MS = 300_000;

/** Strikes a deployment under load at random, then lets it recover, and compares it with its promises. */
export async function runChaos({
  seed,
  ms,
  onProgress = () => {},
}: ChaosOptions): Promise<ChaosReport> {
  const arena = await startArena(seed);
  let report: ChaosReport | undefined;
  try {
    const world = await createWorld(arena);
    const ledger = createLedger();
    const load = startLoad({ world, apiUrls: arena.apiUrls, ledger, seed });
    const strikes = planStrikes(arena, seed, ms);
    const struck = await strikeAll(strikes, ms, {
      onProgress,
      onFailure: (what) => ledger.surprise(what),
    });
    healWire(arena);
    onProgress('the faults have ended');
    const healedAt = Date.now();
    const isAnswered = await within(SETTLE_WITHIN_MS, load.stop());
    onProgress(isAnswered ? 'every caller has its answer' : 'callers wait for their answers');
    const isSettled = isAnswered && (await untilSettled(arena, healedAt + SETTLE_WITHIN_MS));
    const settledMs = isSettled ? Date.now() - healedAt : null;
    const judgement = await judge(arena, world, ledger);
    const isWell = settledMs !== null && countViolations(judgement) === 0;
    report = {
      ...judgement,
      strikes: struck,
      uploads: ledger.uploads.length,
      events: ledger.events.length,
      repeats: ledger.repeats(),
      settledMs,
      logs: isWell ? null : arena.directory,
    };
    return report;
  } finally {
    await arena.stop({ keepLogs: report?.logs !== null });
  }
}

export function countViolations({ violations }: Judgement): number {
  return Object.values(violations).reduce((sum, each: readonly string[]) => sum + each.length, 0);
}

async function strikeAll(
  strikes: readonly Strike[],
  ms: number,
  { onProgress, onFailure }: Record<'onProgress' | 'onFailure', (line: string) => void>,
): Promise<Map<string, number>> {
  const beganAt = Date.now();
  const counts = new Map<string, number>();
  const performed: Promise<void>[] = [];
  for (const { at, name, perform } of strikes) {
    await delay(Math.max(0, beganAt + at - Date.now()));
    onProgress(`${(at / 1000).toFixed(1)} s: ${name}`);
    performed.push(
      perform().then(
        (struck) => void (struck && counts.set(name, (counts.get(name) ?? 0) + 1)),
        (error: unknown) => onFailure(`${name}: ${String(error)}`),
      ),
    );
  }
  await delay(Math.max(0, beganAt + ms - Date.now()));
  await Promise.all(performed);
  return counts;
}

async function untilSettled({ sql }: Arena, giveUpAt: number): Promise<boolean> {
  for (;;) {
    const [row] = await sql<{ left: number }[]>`
      select (select count(*) from menu_upload where state in ('queued', 'running'))
        + (select count(*) from delivery) as left`;
    if (row?.left === 0) return true;
    if (Date.now() > giveUpAt) return false;
    await delay(250);
  }
}

async function within(ms: number, work: Promise<void>): Promise<boolean> {
  const timer = new AbortController();
  const isDone = await Promise.race([
    work.then(() => true),
    delay(ms, false, { signal: timer.signal }),
  ]);
  timer.abort();
  return isDone;
}
