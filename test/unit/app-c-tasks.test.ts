import { setTimeout as sleep } from 'node:timers/promises';
import type { PushOutcome } from '../../src/delivery-apps/app-client';
import { type Bench, CREDENTIAL, openBench, SMALLEST } from './app-c-bench';
import type { WirePayload } from '../../src/delivery-apps/app-c/wire';
import { category, group, item, menu, transform } from './app-c-menus';

let bench: Bench;

beforeEach(async () => {
  bench = await openBench();
});

afterEach(() => bench.close());

const named = (name: string) => transform({ items: [item('I1', { name })] }).payload;

/** 4,000 items, 400 of them sold, each with an image URL of 300 characters. */
function largestMenu(): WirePayload {
  const { payload } = transform({ items: [item('I1', { image_url: 'https://img.example/' })] });
  const [only, first] = [payload.menus[0], payload.items[0]];
  if (!only || !first) throw new Error('There is no item.');
  const ids = Array.from({ length: 4_000 }, (_, n) => `I${n}`);
  const categories = Array.from({ length: 20 }, (_, n) => ({
    app_category_id: `C${n}`,
    category_name: `Category ${n}`,
    app_item_ids: ids.slice(200 * n, 200 * (n + 1)),
  }));
  const items = ids.map((id, n) => ({
    ...first,
    app_item_id: id,
    head_img: `https://img.example/${'i'.repeat(280)}`,
    is_sold_separately: n < 400,
  }));
  const app_category_ids = categories.map((each) => each.app_category_id);
  return { ...payload, menus: [{ ...only, app_category_ids }], categories, items };
}

describe('a task of App C', () => {
  it('is polled until the menu is live', async () => {
    await expect(bench.pollToTheEnd()).resolves.toEqual([
      { kind: 'running', status: 'running' },
      { kind: 'live' },
    ]);
    expect(await bench.shown()).toHaveLength(1);
  });

  it('that the app retries by itself is only awaited', async () => {
    await bench.queue({ kind: 'task_wait_retry', times: 3 });
    await expect(bench.pollToTheEnd()).resolves.toEqual([
      { kind: 'running', status: 'waitRetry' },
      { kind: 'running', status: 'waitRetry' },
      { kind: 'running', status: 'waitRetry' },
      { kind: 'live' },
    ]);
    expect(bench.sent.filter(({ url }) => url.endsWith('/item/upload'))).toHaveLength(1);
  });

  it('is polled by POST, with its id in the URL and as bare digits in the body', async () => {
    const pushed = await bench.push();
    if (pushed.kind !== 'accepted') throw new Error('There is no task.');
    await bench.poll(pushed);
    const asked = bench.sent.at(-1);
    expect(asked?.method).toBe('POST');
    expect(new URL(asked?.url ?? '').searchParams.get('task_id')).toBe(pushed.taskId);
    expect(String(asked?.body)).toContain(`"task_id":${pushed.taskId}}`);
  });

  it('that succeeds but refuses items in its last operation is partly live', async () => {
    await bench.queue({ kind: 'task_success_refused', ids: ['I2'] });
    const { payload } = transform({
      categories: [category('C1', ['I1', 'I2'])],
      items: [item('I1'), item('I2')],
    });
    const outcomes = await bench.pollToTheEnd(payload);
    expect(outcomes.at(-1)).toEqual({
      kind: 'partly_live',
      failed: [{ externalId: 'I2', message: 'a word is forbidden (errno 80107)' }],
    });
    expect(JSON.stringify(await bench.shown())).not.toContain('I2');
  });

  it('that fails is rejected, and the old menu stays', async () => {
    await bench.pollToTheEnd();
    await bench.queue({ kind: 'task_failed' });
    const { payload } = transform({ items: [item('I1', { name: 'Other' })] });
    const outcomes = await bench.pollToTheEnd(payload);
    expect(outcomes.at(-1)).toEqual({ kind: 'rejected', reasons: ['failed'] });
    expect(JSON.stringify(await bench.shown())).not.toContain('Other');
  });

  it('that succeeds in part names the refused items by POS id', async () => {
    await bench.queue({ kind: 'task_partial', ids: ['I2'] });
    const { payload } = transform({
      categories: [category('C1', ['I1', 'I2'])],
      items: [item('I1'), item('I2')],
    });
    const outcomes = await bench.pollToTheEnd(payload);
    expect(outcomes.at(-1)).toEqual({
      kind: 'partly_live',
      failed: [{ externalId: 'I2', message: 'a word is forbidden (errno 80107)' }],
    });
    expect(JSON.stringify(await bench.shown())).not.toContain('I2');
  });

  it('with a bad image is live with a warning', async () => {
    const { payload } = transform({
      items: [item('I1', { image_url: 'https://img.example/pizza.webp' })],
    });
    const outcomes = await bench.pollToTheEnd(payload);
    expect(outcomes.at(-1)).toEqual({
      kind: 'live',
      warnings: [{ externalId: 'I1', message: 'image link is invalid' }],
    });
  });

  it('of the largest menu with long image URLs is live: its answer is longer than 1 MiB', async () => {
    const outcomes = await bench.pollToTheEnd(largestMenu());
    expect(outcomes).toEqual([{ kind: 'running', status: 'running' }, { kind: 'live' }]);
  });

  it('that is stuck runs for ever', async () => {
    await bench.queue({ kind: 'task_stuck' });
    const outcomes = await bench.pollToTheEnd();
    expect(outcomes).toHaveLength(20);
    expect(outcomes.at(-1)).toEqual({ kind: 'running', status: 'running' });
  });

  it.each<[Readonly<Record<string, unknown>>, string]>([
    ...[10001, 10002, 10005, 10101, 14103, 14105, 14106, 77].map(
      (errno): [Readonly<Record<string, unknown>>, string] => [{ kind: 'errno', errno }, 'retry'],
    ),
    [{ kind: 'errno', errno: 10100 }, 'token_expired'],
    [{ kind: 'errno', errno: 10102 }, 'token_expired'],
    [{ kind: 'status', status: 404 }, 'retry'],
    [{ kind: 'redirect' }, 'retry'],
  ])('is not refused by %j of a poll', async (fault, kind) => {
    const pushed = await bench.push();
    await bench.queue({ ...fault, route: 'poll' });
    expect((await bench.poll(pushed)).kind).toBe(kind);
    expect((await bench.poll(pushed)).kind).toBe('running');
  });

  it('may end after a later one, whose menu it replaces then', async () => {
    const [earlier, later] = [await bench.push(named('Old')), await bench.push(named('New'))];
    for (const task of [later, later, earlier, earlier]) await bench.poll(task);
    expect([await bench.poll(earlier), await bench.poll(later)]).toEqual([
      { kind: 'live' },
      { kind: 'live' },
    ]);
    const names = (await bench.shown()).map(({ payload }) => JSON.stringify(payload));
    expect(names.map((text) => /Old|New/.exec(text)?.[0])).toEqual(['New', 'Old']);
  });

  it('is unknown to another shop', async () => {
    const pushed = await bench.push();
    const other = await bench.client.fetchToken({
      ...CREDENTIAL,
      store: { app_shop_id: 'shop-2' },
    });
    if (pushed.kind !== 'accepted' || other.kind !== 'token') throw new Error('There is no task.');
    const shop = { appStoreId: 'shop-2', store: {}, pushedAt: new Date() };
    const request = { token: other.token, taskId: pushed.taskId, ...shop };
    expect((await bench.client.pollTask?.(request))?.kind).toBe('retry');
  });
});

describe.each([
  ['a step with each poll', {}],
  ['steps by themselves', { stepMs: 5 }],
])('a fault that decides how a task of the simulated App C ends, with %s', (_, options) => {
  let other: Bench;
  beforeEach(async () => {
    other = await openBench(options);
  });
  afterEach(() => other.close());

  /** Asks until the task has ended. */
  async function endOf(pushed: PushOutcome) {
    let polled = await other.poll(pushed);
    for (let polls = 0; polled.kind === 'running' && polls < 500; polls += 1) {
      await sleep(5);
      polled = await other.poll(pushed);
    }
    return polled.kind;
  }

  it('is met once by each of as many uploads as it says', async () => {
    await other.queue({ kind: 'task_failed', times: 2 });
    const ends: string[] = [];
    for (let uploads = 0; uploads < 3; uploads += 1) ends.push(await endOf(await other.push()));
    expect(ends).toEqual(['rejected', 'rejected', 'live']);
  });

  it('is met by the next task, in the order of the queue, after those of each step', async () => {
    await other.queue({ kind: 'task_wait_retry', times: 3 });
    await other.queue({ kind: 'task_partial', ids: ['I1'] });
    await other.queue({ kind: 'task_failed' });
    expect(await endOf(await other.push())).toBe('partly_live');
    expect(await endOf(await other.push())).toBe('rejected');
    expect(await endOf(await other.push())).toBe('live');
  });

  it('does not change a task that already runs or has ended', async () => {
    const pushed = await other.push();
    let polled = await other.poll(pushed);
    while (polled.kind === 'running' && polled.status === 'waiting') {
      polled = await other.poll(pushed);
    }
    await other.queue({ kind: 'task_failed' });
    expect(await endOf(pushed)).toBe('live');
    expect(await endOf(pushed)).toBe('live');
    expect(await endOf(await other.push())).toBe('rejected');
  });
});

describe('a menu shown by the simulated App C', () => {
  it('has what was sent, without the token', async () => {
    await bench.pollToTheEnd();
    const [shown] = await bench.shown();
    expect(shown).toMatchObject({ store_id: 'shop-1', payload: JSON.parse(SMALLEST.toString()) });
    expect(JSON.stringify(shown)).not.toContain('token');
  });

  it('is cut, and without promotion, where the app does so silently', async () => {
    const { payload } = transform();
    const [first] = payload.items;
    const long = { ...first, item_name: '🍕'.repeat(60), activity_price: 2_000 };
    const outcomes = await bench.pollToTheEnd({ ...payload, items: [long] });
    expect(outcomes.at(-1)).toEqual({ kind: 'live' });
    const [shown] = await bench.shown();
    expect(shown?.payload).toMatchObject({ items: [{ ...first, item_name: '🍕'.repeat(50) }] });
    expect(JSON.stringify(shown)).not.toContain('activity_price');
  });
});

describe('a task of the simulated App C fails for', () => {
  const ITEMS = [item('I1'), item('I2')];

  it.each([
    [
      'an item in two categories',
      'I1',
      'the item is repeated in the menu (errno 80131)',
      transform({
        menus: [menu('M1', ['C1', 'C2'])],
        categories: [category('C1', ['I1']), category('C2', ['I2'])],
        items: ITEMS,
      }),
      (payload: WirePayload) => ({
        ...payload,
        categories: payload.categories.map((each) => ({ ...each, app_item_ids: ['I1'] })),
        items: payload.items.slice(0, 1),
      }),
    ],
    [
      'groups that nest deeper than one level',
      'I1',
      'modifier groups are nested too deep (errno 10051)',
      transform({
        levels: 2,
        items: [
          item('I1', { data_modifier_groups: [{ modifier_group_external_id: 'G1' }] }),
          item('I2', { data_modifier_groups: [{ modifier_group_external_id: 'G2' }] }),
          item('I3'),
        ],
        modifier_groups: [group('G1', ['I2']), group('G2', ['I3'])],
      }),
      (payload: WirePayload) => payload,
    ],
  ])('%s', async (_, id, reason, { payload }, spoil) => {
    const outcomes = await bench.pollToTheEnd(spoil(payload));
    expect(outcomes.at(-1)).toEqual({
      kind: 'rejected',
      reasons: ['failed', `${reason}, related app_item_id is ${id}`],
    });
    expect(await bench.shown()).toEqual([]);
  });
});
