import { BOUNDS } from '../../platform/admission/bounds';
import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Bounds } from '../../platform/admission/bound-metrics';
import type { Sql } from '../../platform/db/client';
import {
  findImageVerdicts,
  type FreshImageMemory,
  type ImageMemory,
  keepImageVerdicts,
} from './image-verdicts';
import { DEFAULT_IMAGE_RULES } from '../app-a/image-rules';
import { toImageUrl } from './image-url';
import type { ImageVerdict } from '../types';
import { LIMITS, runByHost } from './run-by-host';
import { probeImage } from './image-probe';
import type { OutboundClient } from '../../platform/outbound/types';
import { withinMs } from '../../platform/within-ms';

export interface ImageInspector {
  /**
   * The verdicts on those of `urls` that break App A's rules, cannot be read, or were not reached in time
   * (`not_checked`). Each URL is fetched once. Rejects with the reason of `signal` when that fires.
   */
  inspect(urls: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, ImageVerdict>>;
}

export interface ImageInspectorDeps {
  readonly http: OutboundClient;
  readonly sql: Sql;
  readonly bounds: Bounds;
  /** Called for each image whose head was fetched. */
  readonly onJudged?: ((verdict: Judgement) => void) | undefined;
  /** Total time for all images of one menu, ms. */
  readonly budgetMs?: number;
}

/** A menu waits for its images; after this time they are left out, which is better for guests than an old menu. */
const BUDGET_MS = BOUNDS.image_seconds.limit * 1_000;
/** A menu is sent much more often than its images change. */
const KEEP_VERDICT_MS = 24 * 3_600_000;
/** A failed host is tried again soon, but not by every upload. */
const KEEP_FAILURE_MS = 10 * 60_000;
/** A failing server is asked twice, unless it was slow to fail. */
const TRIES = 2;

type Judgement = ImageMemory['verdict'];

/** Judges images by their heads; all workers share the stored verdicts, by URL. */
export function createImageInspector({
  http,
  sql,
  bounds,
  onJudged,
  budgetMs = BUDGET_MS,
}: ImageInspectorDeps): ImageInspector {
  const bound = bounds.declare('image_seconds', { limit: budgetMs / 1000 });

  /** Undefined = `signal` fired before an answer, or trouble of our own: the image is not checked. */
  async function judge(url: string, signal: AbortSignal): Promise<Judgement | undefined> {
    for (let left = TRIES; left > 0; left--) {
      const probed = await probeImage(http, url, DEFAULT_IMAGE_RULES, signal);
      switch (probed.kind) {
        case 'ok':
          return 'good';
        case 'bad':
          return probed.verdict;
        case 'unasked':
          return undefined;
        case 'late':
          return 'unreadable';
        case 'unreachable':
          break;
      }
    }
    return 'unreadable';
  }

  /** Keeps a verdict on each of `urls` that is judged before `budget` fires; returns whether it has fired. */
  async function judgeAll(
    urls: readonly string[],
    budget: AbortSignal,
    keep: (url: string, verdict: Judgement) => void,
  ): Promise<boolean> {
    // Each request adds a listener, and Node warns of a leak at eleven.
    setMaxListeners(LIMITS.atOnce, budget);
    await runByHost(
      urls,
      (url) => new URL(url).host,
      async (url) => {
        const verdict = await judge(url, budget);
        if (verdict !== undefined) keep(url, verdict);
      },
      budget,
    );
    return budget.aborted;
  }

  return {
    async inspect(urls, signal) {
      const judgements = new Map<string, Judgement>();
      const asked = [...new Set(urls.map(toImageUrl))].filter((url) => url !== null);
      const known = await remembered(sql, asked);
      const fresh: FreshImageMemory[] = [];
      const keep = (url: string, verdict: Judgement): void => {
        onJudged?.(verdict);
        judgements.set(url, verdict);
        fresh.push({ urlSha256: sha256(url), verdict, keepMs: keepMsOf(verdict) });
      };
      const startedAt = performance.now();
      const unknown = asked.filter((url) => !known.has(sha256(url)));
      const isOver = await withinMs(budgetMs, (budget) => judgeAll(unknown, budget, keep), signal);
      bound.meet((performance.now() - startedAt) / 1000);
      if (isOver && !signal.aborted) bound.hit();
      // Also when the step is aborted, so that its next try continues from here.
      if (fresh.length > 0) await keepImageVerdicts(sql, fresh);
      signal.throwIfAborted();
      return badOnes(urls, (url) => {
        const sent = toImageUrl(url);
        if (sent === null) return 'not_https';
        return judgements.get(sent) ?? known.get(sha256(sent)) ?? 'not_checked';
      });
    },
  };
}

async function remembered(
  sql: Sql,
  urls: readonly string[],
): Promise<ReadonlyMap<string, Judgement>> {
  if (urls.length === 0) return new Map();
  const rows = await findImageVerdicts(sql, urls.map(sha256));
  return new Map(rows.map(({ urlSha256, verdict }) => [urlSha256, verdict]));
}

function badOnes(
  urls: readonly string[],
  judgementOf: (url: string) => Judgement,
): ReadonlyMap<string, ImageVerdict> {
  const bad = new Map<string, ImageVerdict>();
  for (const url of urls) {
    const verdict = judgementOf(url);
    if (verdict !== 'good') bad.set(url, verdict);
  }
  return bad;
}

/** A verdict on a file stays true; a failure to read it may be temporary. */
function keepMsOf(verdict: Judgement): number {
  return verdict === 'unreadable' || verdict === 'not_checked' ? KEEP_FAILURE_MS : KEEP_VERDICT_MS;
}

function sha256(url: string): string {
  return createHash('sha256').update(url).digest('hex');
}
