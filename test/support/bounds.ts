import type { BoundName } from '../../src/platform/admission/bound-metrics';
import { until } from './until';
import type { TestApi } from './api';

export interface BoundSeries {
  readonly limit: number;
  readonly used: number;
  readonly hits: number;
}

/** What `/metrics` says of a bound now. */
export async function boundOf(api: TestApi, bound: BoundName): Promise<BoundSeries> {
  const text = await (await fetch(`${api.url}/metrics`)).text();
  const value = (series: string): number => {
    const start = `${series}{bound="${bound}"} `;
    const line = text.split('\n').find((each) => each.startsWith(start));
    return Number(line?.slice(start.length));
  };
  return {
    limit: value('bound_limit'),
    used: value('bound_used'),
    hits: value('bound_hits_total'),
  };
}

/** Waits until exactly so much of a bound is used. */
export async function untilUsed(api: TestApi, bound: BoundName, amount: number): Promise<void> {
  await until(async () => (await boundOf(api, bound)).used === amount);
}
