import { planSeason, planStock, planWantedItems } from '../../src/availability/plan-items';
import { seasonStates } from '../../src/availability/seasons';
import { isOutOfSeason, seasonsIn } from '../../src/menus/menu';
import { EXAMPLE_MENU } from '../../src/menus/rules/example-menu';

const season = (from: string | null, until: string | null) => ({ externalId: 'cake', from, until });

test('a season has its first and its last day', () => {
  const december = season('2026-12-01', '2026-12-31');
  const off = ['2026-11-30', '2026-12-01', '2026-12-31', '2027-01-01'].map((day) =>
    isOutOfSeason(december, day),
  );
  expect(off).toEqual([true, false, false, true]);
  expect(isOutOfSeason(season('2026-12-01', null), '2999-01-01')).toBe(false);
  expect(isOutOfSeason(season(null, '2026-12-01'), '2020-01-01')).toBe(false);
});

test('only items with an end or a beginning have a season', () => {
  const [item] = EXAMPLE_MENU.items;
  const items = [
    item,
    { ...item, external_id: 'cake', visible_from: '2026-12-01', visible_until: null },
    { ...item, external_id: 'tea', visible_from: null, visible_until: '2026-12-24' },
    { ...item, external_id: 'soup', visible_from: null, visible_until: null },
  ] as Parameters<typeof seasonsIn>[0]['items'];
  expect(seasonsIn({ items })).toEqual([
    season('2026-12-01', null),
    { externalId: 'tea', from: null, until: '2026-12-24' },
  ]);
});

/** Whether it is off at a moment, and when that changes. */
function stateAt(moment: string, from: string | null, until: string | null, timeZone: string) {
  const [state] = seasonStates([season(from, until)], new Date(moment), timeZone);
  return [state?.isOff, state?.turnsAt?.toISOString() ?? null];
}

test.each([
  ['America/Mexico_City', '2026-12-01T06:00:00.000Z', '2026-12-25T06:00:00.000Z'],
  ['America/Santiago', '2026-12-01T03:00:00.000Z', '2026-12-25T03:00:00.000Z'],
  ['Europe/Madrid', '2026-11-30T23:00:00.000Z', '2026-12-24T23:00:00.000Z'],
])('in %s an item comes and goes at midnight', (timeZone, start, end) => {
  const at = (moment: string, ms: number) => {
    const when = new Date(Date.parse(moment) + ms).toISOString();
    return stateAt(when, '2026-12-01', '2026-12-24', timeZone);
  };
  expect(at(start, -1)).toEqual([true, start]);
  expect(at(start, 0)).toEqual([false, end]);
  expect(at(end, -1)).toEqual([false, end]);
  expect(at(end, 0)).toEqual([true, null]);
});

const chile = (moment: string) => stateAt(moment, '2026-09-06', '2026-09-06', 'America/Santiago');

const spain = (moment: string) => stateAt(moment, '2026-10-25', '2026-10-25', 'Europe/Madrid');

const mexico = (moment: string) => stateAt(moment, null, '2026-10-25', 'America/Mexico_City');

test('through a change of clocks a day begins where the clocks have it', () => {
  // 6 September 2026 in Chile begins at one o’clock.
  expect(chile('2026-09-06T03:59:59.999Z')).toEqual([true, '2026-09-06T04:00:00.000Z']);
  expect(chile('2026-09-06T04:00:00.000Z')).toEqual([false, '2026-09-07T03:00:00.000Z']);
  expect(chile('2026-09-07T03:00:00.000Z')).toEqual([true, null]);
  // 25 October 2026 in Spain has 25 hours.
  expect(spain('2026-10-24T22:00:00.000Z')).toEqual([false, '2026-10-25T23:00:00.000Z']);
  expect(spain('2026-10-25T22:59:59.999Z')).toEqual([false, '2026-10-25T23:00:00.000Z']);
  expect(spain('2026-10-25T23:00:00.000Z')).toEqual([true, null]);
  // In Mexico the clocks change no more.
  expect(mexico('2026-10-26T05:59:59.999Z')).toEqual([false, '2026-10-26T06:00:00.000Z']);
  expect(mexico('2026-10-26T06:00:00.000Z')).toEqual([true, null]);
});

const KNOWN = {
  externalId: 'cake',
  isLive: true,
  isOnItsWay: false,
  byApi: false,
  byStock: false,
  bySeason: false,
  seasonFrom: null,
  mayEndInApp: false,
};

test('a season that turns tells the app, unless something else holds the item', () => {
  expect(planSeason(KNOWN, true)).toEqual({ isMarked: true, tells: true });
  expect(planSeason(KNOWN, false)).toBeNull();
  const off = { ...KNOWN, bySeason: true };
  expect(planSeason(off, true)).toBeNull();
  expect(planSeason(off, false)).toEqual({ isMarked: false, tells: true });
  expect(planSeason({ ...off, byStock: true }, false)).toEqual({ isMarked: false, tells: false });
  expect(planSeason({ ...KNOWN, byApi: true }, true)).toEqual({ isMarked: true, tells: false });
  // The app would put it back by itself.
  const ending = { ...KNOWN, byApi: true, mayEndInApp: true };
  expect(planSeason(ending, true)).toEqual({ isMarked: true, tells: true });
  expect(planSeason({ ...KNOWN, isLive: false }, true)).toEqual({ isMarked: true, tells: false });
});

test('stock that comes back does not put back what is out of season', () => {
  const item = { ...KNOWN, byStock: true, bySeason: true };
  expect(planStock(item, false)).toEqual({ isMarked: false, tells: false });
});

test.each([
  ['2026-12-01', 'The item is off sale until 2026-12-01: cake'],
  [null, 'The season of the item is over: cake'],
])('who puts back an item out of season (from %s) is told: %s', (seasonFrom, message) => {
  const wanted = { externalId: 'cake', available: true, until: null };
  const item = { ...KNOWN, bySeason: true, seasonFrom };
  const plan = planWantedItems([wanted], { hasLiveMenu: true, items: [item] });
  expect(plan).toEqual({
    refusal: null,
    items: [{ ...wanted, available: false, state: 'waiting', message }],
    marked: [],
    unmarked: ['cake'],
  });
});
