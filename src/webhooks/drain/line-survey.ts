import { performance } from 'node:perf_hooks';
import { inBackground } from '../../platform/in-background';
import type { Sql } from '../../platform/db/client';
import type { LineHolding } from '../lines/line-report';
import { surveyLines } from '../sql/webhook-lines';

export interface LineSurveyDeps {
  readonly sql: Sql;
  /** The lines of this process, by number. */
  readonly lines: ReadonlyMap<number, unknown>;
  /** How long a claim holds, ms. */
}

/** What the lines of this process hold while they are at work, for people. */
export interface LineSurvey {
  /**
   * As of the last look; null if nothing waited, or nobody has looked yet. Asking begins the next look if the last one
   * is long enough ago; none is made while nobody asks.
   */
  readonly holdingOf: (line: number) => LineHolding | null;
}

const LOOK_MS = 25_000;
/** Looking takes at most one part in this many of the time: it takes longer the more subscriptions wait. */
const LOOK_SHARE = 100;

export function createLineSurvey({ sql, lines }: LineSurveyDeps): LineSurvey {
  let holdings = new Map<number, LineHolding>();
  let lookAt = 0;

  async function look(): Promise<void> {
    const startedAt = performance.now();
    lookAt = Number.POSITIVE_INFINITY;
    try {
      const found = await surveyLines(sql, [...lines.keys()]);
      holdings = new Map(found.map((surveyed) => [surveyed.line, surveyed]));
    } finally {
      lookAt = startedAt + Math.max(LOOK_MS, LOOK_SHARE * (performance.now() - startedAt));
    }
  }

  return {
    holdingOf(line) {
      // While Postgres is away the old words stay; the watch of the lines logs that.
      if (lines.has(line) && performance.now() >= lookAt) inBackground(look(), () => {});
      return holdings.get(line) ?? null;
    },
  };
}
