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

  async function call(route: 'availability' | 'pause', isOn: boolean): Promise<string> {
    const { appStoreId } = store;
    const token = await bench.token({ forPauses: route === 'pause' });
    const request = { token, appStoreId, store: bench.credential.store };
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

  describe.each([
    ['availability', 'switched'],
    ['pause', 'done'],
  ] as const)('a call of the route %s', (route, success) => {
    test.each(FAULTS)('%j: one of %j, and the next call works', async (fault, kinds) => {
      await bench.queueFault({ ...fault, route });
      expect(kinds).toContain(await call(route, false));
      expect(await call(route, true)).toBe(success);
    });
  });
}
