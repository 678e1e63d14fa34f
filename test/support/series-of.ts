import type { Registry } from 'prom-client';
import type { BoundName } from '../../src/platform/admission/bound-metrics';

/** The value of a series of a bound, such as `bound_used`; asking may begin the next one, see `Bound.meet`. */
export async function seriesOf(
  registry: Registry,
  name: string,
  bound: BoundName,
): Promise<number> {
  const start = `${name}{bound="${bound}"} `;
  const line = (await registry.metrics()).split('\n').find((each) => each.startsWith(start));
  return Number(line?.slice(start.length));
}
