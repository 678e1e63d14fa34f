import fc from 'fast-check';
import { Registry } from 'prom-client';
import { createBounds } from '../../src/platform/config/bounds';
import { newId } from '../../src/platform/ids';
import {
  type BodyBudget,
  type BodyReservation,
  createBodyBudget,
} from '../../src/http/body/body-budget';

const MEGABYTE = 1_048_576;

function budgetOf(limit: number) {
  const registry = new Registry();
  const budget = createBodyBudget(limit, createBounds(registry));
  const series = async (name: string) =>
    (await registry.getSingleMetric(name)?.get())?.values.find(
      ({ labels }) => labels['bound'] === 'body_memory',
    )?.value;
  return { budget, series };
}

type Act =
  | { readonly kind: 'reserve'; readonly bytes: number }
  | { readonly kind: 'resize'; readonly bytes: number; readonly which: number }
  | { readonly kind: 'release'; readonly which: number };

/** The expected result of each act on a budget of `limit` bytes, and the bytes held in the end. */
function modelOf(limit: number) {
  const open: number[] = [];
  const held = () => open.reduce((sum, bytes) => sum + bytes, 0);
  return {
    held,
    expects(act: Act): boolean {
      switch (act.kind) {
        case 'reserve': {
          const fits = held() < limit && held() + act.bytes <= limit;
          if (fits) open.push(act.bytes);
          return fits;
        }
        case 'resize': {
          const own = open[act.which];
          if (own === undefined || held() - own + act.bytes > limit) return false;
          open[act.which] = act.bytes;
          return true;
        }
        case 'release':
          return open.splice(act.which, 1).length > 0;
      }
    },
  };
}

/** The same with the budget itself. */
function perform(budget: BodyBudget, open: BodyReservation[], act: Act): boolean {
  switch (act.kind) {
    case 'reserve': {
      const reservation = budget.reserve(act.bytes);
      if (reservation) open.push(reservation);
      return reservation !== null;
    }
    case 'resize':
      return open[act.which]?.resize(act.bytes) ?? false;
    case 'release': {
      const [gone] = open.splice(act.which, 1);
      gone?.release();
      gone?.release();
      return gone !== undefined && !gone.resize(1);
    }
  }
}

test('what is reserved is never more than the limit, and all of it comes back', async () => {
  const bytes = fc.nat(120);
  const which = fc.nat(5);
  const act: fc.Arbitrary<Act> = fc.oneof(
    fc.record({ kind: fc.constant('reserve' as const), bytes }),
    fc.record({ kind: fc.constant('resize' as const), bytes, which }),
    fc.record({ kind: fc.constant('release' as const), which }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 60 }), async (acts) => {
      const { budget, series } = budgetOf(100);
      const model = modelOf(100);
      const open: BodyReservation[] = [];
      const answers = acts.map((each) => perform(budget, open, each));
      expect(answers).toEqual(acts.map((each) => model.expects(each)));
      expect(await series('bound_used')).toBe(model.held());
      expect(model.held()).toBeLessThanOrEqual(100);
    }),
  );
});

test('a user has half of it for slow requests, of which what others hold takes nothing', async () => {
  const { budget, series } = budgetOf(100 * MEGABYTE);
  const share = budget.shareOf(newId('usr'));
  const large = share.reserve(40 * MEGABYTE);
  const small = budget.reserve(45 * MEGABYTE);
  expect(share.reserve(11 * MEGABYTE)).toBeNull();
  const grown = share.reserve(0);
  expect(grown?.resize(11 * MEGABYTE)).toBe(false);
  expect(grown?.resize(10 * MEGABYTE)).toBe(true);
  expect(share.reserve(0)).toBeNull();
  const others = budget.shareOf(newId('usr')).reserve(5 * MEGABYTE);
  expect([await series('bound_used'), await series('bound_hits_total')]).toEqual([
    100 * MEGABYTE,
    3,
  ]);
  for (const each of [large, small, grown, others]) each?.release();
  expect(share.reserve(50 * MEGABYTE)).not.toBeNull();
});

test('of a small budget the share has room for the largest two menus and an answer', () => {
  const { budget } = budgetOf(40 * MEGABYTE);
  const share = budget.shareOf(newId('usr'));
  expect(share.reserve(32 * MEGABYTE)).not.toBeNull();
  expect(share.reserve(1)).toBeNull();
});

test('a body of unknown size is refused only when nothing is left at all', async () => {
  const { budget, series } = budgetOf(10);
  const large = budget.reserve(10);
  expect(budget.reserve(0)).toBeNull();
  expect(large?.resize(9)).toBe(true);
  const small = budget.reserve(0);
  expect(small?.resize(1)).toBe(true);
  expect(small?.resize(2)).toBe(false);
  expect([await series('bound_used'), await series('bound_limit')]).toEqual([10, 10]);
  expect(await series('bound_hits_total')).toBe(2);
});
