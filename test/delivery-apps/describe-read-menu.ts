import { driftOf } from '../../src/delivery-apps/shown-changes';
import { randomFrom } from '../support/random';
import { randomMenu } from '../support/random-menus';
import type { ConformanceSubject } from './conformance-subject';
import { payloadOf, readGoldenMenu, readGoldenMenus } from './golden-menus';
import { openWorkbench, type Workbench } from './workbench';

const RANDOM_MENUS = 25;
/** No app wants more time between two readings, or two refreshes of a token. */
const SPACING_MS = 121_000;

/** What holds for apps that show their menu: as it was pushed, it has not drifted. */
export function describeReadMenu(subject: ConformanceSubject): void {
  const { app, store } = subject;
  const payload = payloadOf(subject, readGoldenMenu('pizza-with-extras'));
  let now = Date.now();
  let bench: Workbench;
  beforeAll(async () => {
    bench = await openWorkbench(subject, () => now);
  });
  beforeEach(async () => {
    await bench.reset();
    now += SPACING_MS;
  });
  afterAll(() => bench.close());

  const read = async () => {
    now += SPACING_MS;
    return bench.client.readMenu?.(bench.request(payload, await bench.token()));
  };

  async function driftAfter(pushed: Buffer) {
    const outcome = await read();
    if (outcome?.kind !== 'read') throw new Error(`The reading ended ${outcome?.kind}.`);
    const context = { store, sentMenus: [], ...subject.settings };
    return driftOf(app, context, pushed, outcome.payload, 3);
  }

  /** Undefined: the app does not take it, as the transform foretells. */
  function payloadIfTaken(input: Parameters<typeof app.transform>[0]): Buffer | undefined {
    const transformed = app.transform({ ...input, ...subject.settings });
    if (transformed.losses.some(({ severity }) => severity === 'block')) return undefined;
    return Buffer.from(JSON.stringify(transformed.payload));
  }

  test.each(readGoldenMenus())('$name reads back as it was pushed', async ({ inputFor }) => {
    const pushed = payloadIfTaken(inputFor(store));
    if (!pushed) return;
    expect(await bench.push(pushed)).toMatchObject({ kind: 'live' });
    expect(await driftAfter(pushed)).toMatchObject({ count: 0, changes: [] });
  });

  test(`${RANDOM_MENUS} random menus read back as they were pushed`, async () => {
    let taken = 0;
    for (let seed = 0; seed < RANDOM_MENUS; seed += 1) {
      const random = randomFrom(seed);
      const menu = randomMenu(random, { menus: 1 });
      const pushed = payloadIfTaken({ menu: subject.tame?.(menu) ?? menu, store });
      if (!pushed) continue;
      expect((await bench.push(pushed)).kind).toBe('live');
      expect([seed, await driftAfter(pushed)]).toMatchObject([seed, { count: 0, changes: [] }]);
      taken += 1;
    }
    expect(taken).toBeGreaterThan(RANDOM_MENUS / 3);
  });

  test('a menu changed in the app has drifted', async () => {
    await bench.push(payload);
    const other = Buffer.from(payload.toString('utf8').replaceAll('Extras', 'Other extras'));
    expect(await driftAfter(other)).toMatchObject({
      changes: [{ op: 'changed', kind: 'modifier_group', field: 'name', after: 'Extras' }],
    });
  });

  test('a store without a menu shows none', async () => {
    const outcome = await read();
    if (outcome?.kind !== 'absent') {
      if (outcome?.kind !== 'read') throw new Error(`The reading ended ${outcome?.kind}.`);
      const answer: unknown = JSON.parse(outcome.payload.toString('utf8'));
      expect(app.readShown(answer, { store, sentMenus: [] }).items).toEqual([]);
    }
  });

  test.each([
    [{ kind: 'status', status: 503 }, 'retry'],
    [{ kind: 'status', status: 403 }, 'unknown'],
    [{ kind: 'rate_limit', s: 7 }, 'retry'],
    [{ kind: 'token_expired' }, 'token_expired'],
    [{ kind: 'endless_body' }, 'unknown'],
    [{ kind: 'reset_mid' }, 'unknown'],
    [{ kind: 'redirect' }, 'unknown'],
  ])('%j while reading: %s', async (fault, kind) => {
    await bench.push(payload);
    await bench.queueFault({ ...fault, route: 'read' });
    expect(await read()).toMatchObject({ kind });
    expect(await read()).toMatchObject({ kind: 'read' });
  });

  test.each([{ kind: 'bad_json' }, { kind: 'bad_json', mode: 'cut' }])(
    '%j while reading is no menu',
    async (fault) => {
      await bench.push(payload);
      await bench.queueFault({ ...fault, route: 'read' });
      const outcome = await read();
      const context = { store, sentMenus: [], ...subject.settings };
      if (outcome?.kind === 'read') {
        expect(driftOf(app, context, payload, outcome.payload, 1)).toBeUndefined();
      } else expect(outcome?.kind).toBe('unknown');
      expect(await driftAfter(payload)).toMatchObject({ count: 0 });
    },
  );
}
