import { DEFAULT_IMAGE_RULES } from '../delivery-apps/app-a/image-rules';
import type { ImageVerdict } from '../delivery-apps/types';
import { probeImage } from './image-probe';
import type { OutboundClient } from './types';

/** Images looked at side by side: enough to hide latency, few enough not to look like an attack. */
const PARALLEL = 8;

/** The verdicts on those of `urls` that break App A's rules or cannot be read. Each URL is asked for once. */
export async function probeImages(
  { http }: { readonly http: OutboundClient },
  urls: readonly string[],
): Promise<ReadonlyMap<string, ImageVerdict>> {
  const queue = [...new Set(urls)];
  const bad = new Map<string, ImageVerdict>();
  const worker = async (): Promise<void> => {
    for (let url = queue.pop(); url !== undefined; url = queue.pop()) {
      const probed = await probeImage(http, url, DEFAULT_IMAGE_RULES);
      if (probed.kind === 'bad') bad.set(url, probed.verdict);
      if (probed.kind === 'unreachable') bad.set(url, 'unreadable');
    }
  };
  await Promise.all(Array.from({ length: Math.min(PARALLEL, queue.length) }, worker));
  return bad;
}
