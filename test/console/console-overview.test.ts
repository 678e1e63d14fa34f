import { createTestDatabase } from '../support/database';
import { countDeliveriesOfHour } from '../../src/console/sql/deliveries-of-hour';
import type { UserId } from '../../src/platform/ids';
import { type ConsoleWorld, startConsoleWorld } from './console-world';
import { type AddEnded, endedDeliveries } from './ended-deliveries';
import { type Visitor, visit } from './visitor';

let world: ConsoleWorld;
let owner: Visitor;
let addEnded: AddEnded;

beforeAll(async () => {
  world = await startConsoleWorld();
  addEnded = await endedDeliveries(world);
  await addEnded({ state: 'acknowledged', agoMs: 5.5 * MINUTE, ms: 200 });
  await addEnded({ state: 'acknowledged', agoMs: 5.4 * MINUTE, ms: 400 });
  await addEnded({ state: 'exhausted', agoMs: 20.5 * MINUTE, ms: 150_000 });
  // Too old to be counted, though its day's partition is looked into.
  await addEnded({ state: 'refused', agoMs: 90 * MINUTE, ms: 10 });
  owner = await visit(world.api.url, world.owner.token);
});
afterAll(() => world.api.stop());

const MINUTE = 60_000;

async function hourOf(userId: string, seesAll = false) {
  const rows = await countDeliveriesOfHour(world.api.sql, { userId: userId as UserId, seesAll });
  return { rows, whole: rows.find(({ ago }) => ago === null) };
}

describe('the deliveries of the last hour', () => {
  test('are counted by minute, with how long they took and what waits, each once', async () => {
    const { rows, whole } = await hourOf(world.owner.userId);
    expect(whole).toEqual({
      ago: null,
      made: 4,
      ended: 3,
      failed: 1,
      p50Ms: 400,
      p99Ms: 150_000,
      oldestEndedS: expect.any(Number),
      oldestWaitingS: expect.any(Number),
      waiting: 1,
      isCut: false,
    });
    const ages = rows.map(({ ago, oldestEndedS }) => [ago, Math.floor((oldestEndedS ?? 0) / 60)]);
    expect(ages).toEqual(
      expect.arrayContaining([
        [20, 23],
        [null, 23],
      ]),
    );
    const minutes = rows
      .filter(({ ended }) => ended > 0)
      .map(({ ago, ended, failed }) => [ago, ended, failed]);
    expect(minutes).toEqual([
      [5, 2, 0],
      [20, 1, 1],
      [null, 3, 1],
    ]);
    // The one that waits was made now, whatever minute it is by the time of the question.
    expect(rows.reduce((sum, { ago, made }) => sum + (ago === null ? 0 : made), 0)).toBe(4);
  });

  test('are those of the user’s own stores and webhooks; operators see everybody’s', async () => {
    const stranger = await world.api.user();
    const noAges = { oldestEndedS: null, oldestWaitingS: null };
    const none = {
      made: 0,
      ended: 0,
      failed: 0,
      p50Ms: null,
      p99Ms: null,
      waiting: 0,
      isCut: false,
      ...noAges,
    };
    expect((await hourOf(stranger.userId)).whole).toEqual({ ago: null, ...none });
    const foreign = await world.api.store(stranger);
    await addEnded({ state: 'refused', agoMs: MINUTE / 2, ms: 5, storeId: foreign, to: 'sub_x' });
    expect((await hourOf(stranger.userId)).whole).toMatchObject({ ended: 1, failed: 1, p50Ms: 5 });
    expect((await hourOf(world.owner.userId)).whole?.ended).toBe(3);
    expect((await hourOf(stranger.userId, true)).whole).toMatchObject({ ended: 4, waiting: 1 });
  });

  test('are none in a new deployment', async () => {
    const empty = await createTestDatabase();
    try {
      const rows = await countDeliveriesOfHour(empty.sql, { userId: 'u' as UserId, seesAll: true });
      expect(rows).toMatchObject([{ ago: null, made: 0, ended: 0, waiting: 0 }]);
    } finally {
      await empty.drop();
    }
  });
});

describe('the overview', () => {
  test('draws them, with the same figures in words', async () => {
    const { text } = await owner.get('/console');
    expect(text).toContain(
      '3 deliveries ended in the last 60 minutes, 1 of them refused or exhausted',
    );
    expect(text).toContain('Half of them ended within 400 ms, 99 of 100 within 150.0 s');
    expect(text).toContain('1 wait now; at most');
    // The one that ended 20.5 minutes ago took 2.5 minutes; the one that waits has only just come.
    expect(text).toMatch(/Now \d+ s; at most 2 min at the end of a minute/);
    const described = [...text.matchAll(/aria-labelledby="([^"]+)" aria-describedby="([^"]+)"/g)];
    expect(described.length).toBeGreaterThanOrEqual(4);
    for (const [, title, words] of described) {
      expect(text).toContain(`<title id="${title}">`);
      expect(text).toContain(`<desc id="${words}">`);
    }
  });

  test('draws the states of the uploads to each app', async () => {
    const { text } = await owner.get('/console');
    expect(text).toContain('Uploads to App B in the last 24 hours');
    expect(text).toMatch(/1 failed, 1 queued/);
  });

  test('shows a user without stores no deliveries of others', async () => {
    const { text } = await (
      await visit(world.api.url, (await world.api.user()).token)
    ).get('/console');
    expect(text).toContain('No delivery waits, and none ended in the last 60 minutes.');
    expect(text).not.toContain('<svg');
  });
});
