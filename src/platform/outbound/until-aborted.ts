import { type Bag, createBag } from '../short-lived';

type End = () => void;

const endsOf = new WeakMap<AbortSignal, Bag<End>>();

/**
 * What ends with a signal, which has one listener for all: the listeners of an `AbortSignal` are a list in which those
 * that are removed still refer to the next one, see `short-lived.ts`.
 */
export function endedBy(signal: AbortSignal): Bag<End> {
  const known = endsOf.get(signal);
  if (known) return known;
  const ends = createBag<End>();
  endsOf.set(signal, ends);
  const endAll = (): void => {
    for (const end of ends) end();
  };
  signal.addEventListener('abort', endAll, { once: true });
  return ends;
}
