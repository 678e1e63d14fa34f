import type { SpecialDay } from '../../src/delivery-apps/app-client';
import type { ConformanceSubject } from './conformance-subject';
import { payloadOf, readGoldenMenu } from './golden-menus';
import { openWorkbench, type Workbench } from './workbench';

/** With each look at the sandbox's clock this much time passes, so that no limit of calls per second is met. */
const TICK_MS = 500;

const FAULTS: readonly (readonly [Readonly<Record<string, unknown>>, readonly string[]])[] = [
  [{ kind: 'status', status: 503 }, ['retry']],
  [{ kind: 'rate_limit', s: 7 }, ['retry']],
  [{ kind: 'token_expired' }, ['token_expired']],
  [{ kind: 'redirect' }, ['rejected']],
  [{ kind: 'reset_before' }, ['unknown', 'retry']],
  [{ kind: 'reset_mid' }, ['unknown', 'retry']],
];

type Route = 'availability' | 'pause' | 'special_days';

const CLOSED: readonly SpecialDay[] = ['2030-12-25', '2031-01-01'].map((date) => ({
  date,
  periods: [],
  name: null,
}));
const OPEN: readonly SpecialDay[] = [
  { date: '2030-12-25', periods: [{ start: '10:00', end: '15:00' }], name: 'Christmas' },
];
/** For a client that is only asked which calls it has. */
const NO_CALLS = {
  http: { request: () => Promise.reject(new Error('no call')), close: async () => {} },
  baseUrl: '',
  timeoutMs: 0,
};

/** What holds for every app: an item and the store go off and come back, and a failed call says how it failed. */
export function describeAvailability(subject: ConformanceSubject): void {
  const { app, store, settings } = subject;
  const golden = readGoldenMenu('pizza-with-extras');
  const { itemIds } = app.transform({ ...golden.inputFor(store), ...settings });
  const [[wireId = ''] = []] = itemIds.values();
  const payload = payloadOf(subject, golden);
  let bench: Workbench;

  beforeAll(async () => {
    let now = Date.now();
    bench = await openWorkbench(subject, () => (now += TICK_MS));
    expect(await bench.push(payload)).toMatchObject({ kind: 'live' });
  });
  afterAll(() => bench.close());

  async function call(route: Route, isOn: boolean): Promise<string> {
    const { appStoreId } = store;
    const { pauses, specialDays } = app.ownTokens ?? {};
    const uses = { availability: undefined, pause: pauses, special_days: specialDays };
    const token = await bench.token(uses[route]);
    const request = { token, appStoreId, store: bench.credential.store };
    if (route === 'special_days') {
      const outcome = await bench.client.setSpecialDays?.({
        ...request,
        days: isOn ? OPEN : CLOSED,
      });
      return outcome?.kind ?? 'done';
    }
    const outcome =
      route === 'pause'
        ? await bench.client.pauseStore({ ...request, paused: !isOn, until: null, reason: null })
        : await bench.client.switchItems({
            ...request,
            items: [{ wireId, available: isOn, until: null }],
          });
    return outcome.kind;
  }

  test('an item goes off sale and comes back', async () => {
    expect(await call('availability', false)).toBe('switched');
    expect((await bench.shownStore()).off.map(({ id }) => id)).toEqual([wireId]);
    expect(await call('availability', true)).toBe('switched');
    expect((await bench.shownStore()).off).toEqual([]);
  });

  test('the store pauses and opens again', async () => {
    expect(await call('pause', false)).toBe('done');
    expect((await bench.shownStore()).paused).toBe(true);
    expect(await call('pause', true)).toBe('done');
    expect((await bench.shownStore()).paused).toBe(false);
  });

  const hasDays = app.createClient(NO_CALLS).setSpecialDays !== undefined;

  const shownPeriods = async () =>
    (await bench.shownStore()).special_days.map(({ periods }) => periods);

  test('special days replace one another, and each day once', async () => {
    if (!hasDays) return;
    for (let times = 0; times < 2; times += 1) {
      expect(await call('special_days', false)).toBe('done');
      expect(await shownPeriods()).toEqual([[], []]);
      expect(await call('special_days', true)).toBe('done');
      expect(await shownPeriods()).toEqual([OPEN[0]?.periods]);
    }
  });

  const routes = [
    ['availability', 'switched'],
    ['pause', 'done'],
    ['special_days', 'done'],
  ] as const;
  describe.each(routes.filter(([route]) => hasDays || route !== 'special_days'))(
    'a call of the route %s',
    (route, success) => {
      test.each(FAULTS)('%j: one of %j, and the next call works', async (fault, kinds) => {
        await bench.queueFault({ ...fault, route });
        expect(kinds).toContain(await call(route, false));
        expect(await call(route, true)).toBe(success);
      });
    },
  );
}
