import fc from 'fast-check';
import { Registry } from 'prom-client';
import { createBounds } from '../../src/platform/admission/bound-metrics';
import { type BoundShares, createBoundShares } from '../../src/platform/admission/permits';
import { createShares, type Held } from '../../src/platform/admission/shares';
import { seriesOf } from '../support/series-of';

const KEYS = ['A', 'B', 'C'] as const;
type Key = (typeof KEYS)[number];

type Act =
  | { readonly kind: 'take'; readonly key: Key; readonly amount: number }
  | { readonly kind: 'resize'; readonly amount: number; readonly which: number }
  | { readonly kind: 'release'; readonly which: number };

/** The expected result of each act, and what is held in the end: the rule in its own words. */
function modelOf(limit: number) {
  const open: { readonly key: Key; amount: number }[] = [];
  const held = (key?: Key) =>
    open.reduce((sum, each) => sum + (key === undefined || each.key === key ? each.amount : 0), 0);
  /** The last quarter is for keys that hold less than a sixteenth before this request. */
  const topFor = (key: Key, own: number) =>
    held(key) - own < limit / 16 ? limit : Math.floor((limit * 3) / 4);
  return {
    held,
    expects(act: Act): boolean {
      switch (act.kind) {
        case 'take': {
          const top = topFor(act.key, 0);
          const fits = held() < top && held() + act.amount <= top;
          if (fits) open.push({ key: act.key, amount: act.amount });
          return fits;
        }
        case 'resize': {
          const own = open[act.which];
          if (!own) return false;
          const isMore = act.amount > own.amount;
          if (isMore && held() - own.amount + act.amount > topFor(own.key, own.amount))
            return false;
          own.amount = act.amount;
          return true;
        }
        case 'release':
          return open.splice(act.which, 1).length > 0;
      }
    },
  };
}

/** The same with the shares themselves. */
function perform(shares: BoundShares<Key>, open: Held[], act: Act): boolean {
  switch (act.kind) {
    case 'take': {
      const held = shares.take(act.key, act.amount);
      if (held) open.push(held);
      return held !== undefined;
    }
    case 'resize':
      return open[act.which]?.resize(act.amount) ?? false;
    case 'release': {
      const [gone] = open.splice(act.which, 1);
      gone?.release();
      gone?.release();
      return gone !== undefined && !gone.resize(1);
    }
  }
}

const SHARED = { ofAll: 100, ofKey: 'three quarters' } as const;

test('what is held is never more than the limit, each key has its share, and all of it comes back', async () => {
  const amount = fc.nat(60);
  const which = fc.nat(5);
  const key = fc.constantFrom(...KEYS);
  const act: fc.Arbitrary<Act> = fc.oneof(
    fc.record({ kind: fc.constant('take' as const), key, amount }),
    fc.record({ kind: fc.constant('resize' as const), amount, which }),
    fc.record({ kind: fc.constant('release' as const), which }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 60 }), async (acts) => {
      const registry = new Registry();
      const shares = createBoundShares<Key>('body_memory', createBounds(registry), 100);
      const model = modelOf(100);
      const open: Held[] = [];
      const answers = acts.map((each) => perform(shares, open, each));
      expect(answers).toEqual(acts.map((each) => model.expects(each)));
      expect(await seriesOf(registry, 'bound_used', 'body_memory')).toBe(model.held());
      expect(model.held()).toBeLessThanOrEqual(100);
      for (const each of open) each.release();
      expect(await seriesOf(registry, 'bound_used', 'body_memory')).toBe(0);
    }),
  );
});

test('one key alone may have three quarters, however many pieces it takes, and not one more', () => {
  for (const piece of [1, 5, 25]) {
    const shares = createShares<string>(SHARED);
    for (let held = 0; held < 75; held += piece) expect(shares.take('A', piece)).toBeDefined();
    expect(shares.take('A', 1)).toBeUndefined();
    expect([shares.heldBy('A'), shares.used(), shares.isTight()]).toEqual([75, 75, true]);
  }
});

test('whatever one key does, another that holds little gets what it asks for', () => {
  const shares = createShares<string>(SHARED);
  while (shares.take('A', 1));
  expect([shares.hasAnyFor('A'), shares.hasAnyFor('B')]).toEqual([false, true]);
  const first = shares.take('B', 6);
  expect(first).toBeDefined();
  expect(shares.take('C', 6)).toBeDefined();
  // Six of a hundred are less than a sixteenth, seven are not.
  expect(first?.resize(7)).toBe(true);
  expect(shares.take('B', 1)).toBeUndefined();
  expect(shares.take('D', 12)).toBeDefined();
  expect([shares.used(), shares.hasAnyFor('E')]).toEqual([100, false]);
});

test('what a request holds already does not count against its growth, what others of its key hold does', () => {
  const shares = createShares<string>(SHARED);
  const whole = shares.take('A', 0);
  expect(whole?.resize(100)).toBe(true);
  expect(whole?.resize(90)).toBe(true);
  const [first, second] = [shares.take('B', 0), shares.take('B', 0)];
  expect(first?.resize(7)).toBe(true);
  expect(second?.resize(1)).toBe(false);
  whole?.release();
  expect(second?.resize(68)).toBe(true);
  expect(second?.resize(69)).toBe(false);
});

test('a body of unknown size is refused only when nothing is left at all', async () => {
  const registry = new Registry();
  const shares = createBoundShares('body_memory', createBounds(registry), 10);
  const large = shares.take('A', 10);
  expect(shares.take('B', 0)).toBeUndefined();
  expect(large?.resize(9)).toBe(true);
  const small = shares.take('B', 0);
  expect(small?.resize(1)).toBe(true);
  expect(small?.resize(2)).toBe(false);
  large?.release();
  // What was given back is refused nothing, and takes nothing.
  expect([large?.resize(1), await seriesOf(registry, 'bound_used', 'body_memory')]).toEqual([
    false,
    1,
  ]);
  expect(await seriesOf(registry, 'bound_hits_total', 'body_memory')).toBe(2);
});

test('a key presses while more than half is held, and by it more than a sixteenth', () => {
  const shares = createShares<string>(SHARED);
  const large = shares.take('A', 50);
  expect(shares.isPressedBy('A')).toBe(false);
  const small = shares.take('B', 6);
  expect([shares.isPressedBy('A'), shares.isPressedBy('B')]).toEqual([true, false]);
  expect(small?.resize(7)).toBe(true);
  expect([shares.isPressedBy('A'), shares.isPressedBy('B')]).toEqual([true, true]);
  large?.release();
  expect(shares.isPressedBy('B')).toBe(false);
});

test('the own work of the service, which has no key, may have all', () => {
  const shares = createShares<string | undefined>(SHARED);
  for (let held = 0; held < 100; held += 1) expect(shares.take(undefined, 1)).toBeDefined();
  expect([shares.take(undefined, 1), shares.heldBy(undefined)]).toEqual([undefined, 0]);
});
