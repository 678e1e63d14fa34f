import { setTimeout as delay } from 'node:timers/promises';
import type { Part } from '../../test/support/chaos/part';
import { type SeededRandom, seededRandom } from '../../test/support/chaos/seeded-random';

export interface StrikePlan {
  readonly parts: readonly Part[];
  /** How often each of them is killed. */
  readonly times: number;
  readonly seed: number;
  /** Which share of the work is done, from 0 to 1. */
  readonly progress: () => Promise<number>;
  readonly onStrike: (line: string) => void;
}

const LONGEST_DOWN_MS = 1_500;
const LOOK_EVERY_MS = 200;
/** The last kill comes when so much of the work is done, so that all of them hit it. */
const LAST_AT = 0.85;

/** Kills every part so often, spread evenly over the work; resolves with those that came when all was done. */
export async function strikeDuring(plan: StrikePlan): Promise<readonly string[]> {
  const { parts, times, seed, progress, onStrike } = plan;
  const random = seededRandom(seed);
  const order = Array.from({ length: times }, () => shuffled(parts, random)).flat();
  const late: string[] = [];
  for (const [nth, part] of order.entries()) {
    const wanted = (LAST_AT * (nth + 1)) / order.length;
    let done = await progress();
    for (; done < wanted; done = await progress()) await delay(LOOK_EVERY_MS);
    onStrike(`${(done * 100).toFixed(0)} %: ${part.name} killed`);
    if (done >= 1) late.push(`${part.name} was killed when all was done`);
    await part.kill(random.between(0, LONGEST_DOWN_MS));
  }
  return late;
}

function shuffled<T>(list: readonly T[], random: SeededRandom): T[] {
  const keyed = list.map((each) => [random.next(), each] as const);
  return keyed.toSorted(([one], [other]) => one - other).map(([, each]) => each);
}
