import { DEFAULT_IMAGE_RULES } from '../delivery-apps/app-a/image-rules';
import type { ImageVerdict } from '../delivery-apps/types';
import { type ImageValidators, probeImage } from './image-probe';
import type { OutboundClient } from './types';

export interface ImageInspector {
  /** The verdicts on those of `urls` that break App A's rules or cannot be read. Each URL is asked for once. */
  inspect(urls: readonly string[]): Promise<ReadonlyMap<string, ImageVerdict>>;
}

/** What is known of one URL; `verdict` null = the image is good. */
interface Judgement {
  readonly verdict: ImageVerdict | null;
  readonly validators: ImageValidators;
  readonly judgedAt: number;
}

/** Images looked at side by side: enough to hide latency, few enough not to look like an attack. */
const PARALLEL = 8;
/** A menu is sent again within minutes far more often than its images change. */
const FRESH_MS = 10 * 60_000;
const MAX_KNOWN = 50_000;
/** A server that is not well is asked twice; then the image is left out, and the next upload asks anew. */
const TRIES = 2;

/** Judges images by their heads and remembers the judgements of this process, by URL and by what its server calls a version. */
export function createImageInspector(
  http: OutboundClient,
  now: () => number = Date.now,
): ImageInspector {
  const known = new Map<string, Judgement>();

  async function judge(url: string): Promise<ImageVerdict | null> {
    const before = known.get(url);
    if (before && before.judgedAt > now() - FRESH_MS) return before.verdict;
    const after = await ask(url, before);
    if (!after) return before ? before.verdict : 'unreadable';
    known.delete(url);
    known.set(url, after);
    if (known.size > MAX_KNOWN) known.delete(known.keys().next().value ?? '');
    return after.verdict;
  }

  async function ask(url: string, before: Judgement | undefined): Promise<Judgement | undefined> {
    for (let left = TRIES; left > 0; left--) {
      const probed = await probeImage(http, url, DEFAULT_IMAGE_RULES, before?.validators);
      switch (probed.kind) {
        case 'ok':
          return { verdict: null, validators: probed.validators, judgedAt: now() };
        case 'bad':
          return { verdict: probed.verdict, validators: probed.validators, judgedAt: now() };
        case 'unchanged':
          return before && { ...before, judgedAt: now() };
        case 'unreachable':
          break;
      }
    }
    return undefined;
  }

  return {
    async inspect(urls) {
      const queue = [...new Set(urls)];
      const bad = new Map<string, ImageVerdict>();
      const work = async (): Promise<void> => {
        for (let url = queue.pop(); url !== undefined; url = queue.pop()) {
          const verdict = await judge(url);
          if (verdict) bad.set(url, verdict);
        }
      };
      await Promise.all(Array.from({ length: Math.min(PARALLEL, queue.length) }, work));
      return bad;
    },
  };
}
