import { createAppDClient } from '../../src/delivery-apps/app-d/client';
import { startAnswering } from '../delivery-apps/hostile-server';
import { menuOf, useAppDBench } from './app-d-bench';

const { http, open, openBench } = useAppDBench();

describe('approval by App D', () => {
  test('a menu is live when it is approved, not before', async () => {
    const { push, poll, shownPrices } = await openBench();
    const pushed = await push(menuOf('1000'));
    expect(await poll(pushed)).toEqual({ kind: 'running', status: 'waiting' });
    expect(await shownPrices()).toEqual([]);
    expect(await poll(pushed)).toEqual({ kind: 'live' });
    expect(await shownPrices()).toEqual([[10]]);
  });

  test('a rejected menu is rejected', async () => {
    const { push, poll, fault, shownPrices } = await openBench();
    await fault({ kind: 'approval', mode: 'rejected' });
    const pushed = await push(menuOf('1000'));
    await poll(pushed);
    expect(await poll(pushed)).toEqual({
      kind: 'rejected',
      reasons: ['Scripted: the prices are not those of the store'],
    });
    expect(await shownPrices()).toEqual([]);
  });

  test('a fault that decides about a menu is met once by each of as many menus as it says', async () => {
    const { push, poll, fault, now, passTime } = await openBench();
    await fault({ kind: 'approval', mode: 'slow', times: 2 });
    await fault({ kind: 'approval', mode: 'rejected', times: 2 });
    const ends: (string | undefined)[] = [];
    for (let menus = 0; menus < 3; menus += 1) {
      passTime(10_000);
      const pushedAt = new Date(now());
      const pushed = await push(menuOf('1000'));
      let polled = await poll(pushed, pushedAt);
      while (polled?.kind === 'running') polled = await poll(pushed, pushedAt);
      // Asked once more, the app says the same, and meets no fault.
      expect((await poll(pushed, pushedAt))?.kind).toBe(polled?.kind);
      ends.push(polled?.kind);
    }
    expect(ends).toEqual(['rejected', 'rejected', 'live']);
  });

  test('a menu that nobody reviews stays running', async () => {
    const { push, poll, fault } = await openBench();
    await fault({ kind: 'approval', mode: 'never' });
    const pushed = await push(menuOf('1000'));
    for (let polls = 0; polls < 5; polls += 1) {
      expect(await poll(pushed)).toMatchObject({ kind: 'running' });
    }
  });

  test('an earlier menu’s approval is not that of the next one, which the app may answer for later', async () => {
    const { push, poll, now, passTime } = await openBench();
    const older = await push(menuOf('1000'));
    await poll(older);
    expect(await poll(older)).toEqual({ kind: 'live' });
    passTime(2_000);
    const pushedAt = new Date(now());
    const newer = await push(menuOf('1100'));
    expect(await poll(newer, pushedAt)).toEqual({ kind: 'running', status: 'waiting' });
    expect(await poll(newer, pushedAt)).toEqual({ kind: 'live' });
    // Later menus change nothing about it.
    passTime(2_000);
    await push(menuOf('1200'));
    expect(await poll(newer, pushedAt)).toEqual({ kind: 'live' });
  });

  test('a menu that the app ignored is not approved with the one that waited', async () => {
    const { push, poll, now, passTime } = await openBench();
    const first = await push(menuOf('1000'));
    passTime(2_000);
    const pushedAt = new Date(now());
    const ignored = await push(menuOf('1100'));
    for (let polls = 0; polls < 3; polls += 1) await poll(first);
    expect(await poll(first)).toEqual({ kind: 'live' });
    expect(await poll(ignored, pushedAt)).toEqual({ kind: 'running', status: 'no word' });
  });

  test('the app ignores a menu while another one waits, and says nothing', async () => {
    const { push, poll, shownPrices } = await openBench();
    const first = await push(menuOf('1000'));
    expect(await push(menuOf('1100'))).toMatchObject({ kind: 'accepted' });
    await poll(first);
    await poll(first);
    expect(await shownPrices()).toEqual([[10]]);
  });

  test('the same menu pushed twice is two tasks', async () => {
    const { push } = await openBench();
    const tasks = [await push(menuOf('1000')), await push(menuOf('1000'))];
    const ids = tasks.map((each) => (each.kind === 'accepted' ? each.taskId : ''));
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => id.startsWith('999/'))).toBe(true);
  });
});

const PUSHED_AT = new Date('2026-02-01T10:00:00.700Z');

/** What the client makes of this list of menus. */
async function outcomeOf(answer: unknown, store: Record<string, string> = { rappi_store_id: '7' }) {
  const server = await startAnswering(200, JSON.stringify(answer));
  open.push(server);
  const client = createAppDClient({ http, baseUrl: server.url, timeoutMs: 5_000 });
  const task = { token: 'tk-secret', appStoreId: '999', taskId: '999/1', pushedAt: PUSHED_AT };
  return client.pollTask?.({ ...task, store });
}

const menu = (createdAt: unknown, status = 'APPROVED', why: unknown = null) => ({
  status,
  error_description: why,
  created_at: createdAt,
});

describe('of App D’s menus ours is', () => {
  test.each([
    ['the first one at our push or after it', '2026-02-01T10:00:01Z', { kind: 'live' }],
    [
      'one of the same second, where no parts of it are said',
      '2026-02-01T10:00:00Z',
      { kind: 'live' },
    ],
    ['no earlier one of that second', '2026-02-01T10:00:00.699Z', { kind: 'running' }],
    ['no earlier one', '2026-02-01T09:59:59.999Z', { kind: 'running', status: 'no word' }],
    ['one by UTC, where no offset is said', '2026-02-01 10:00:00', { kind: 'live' }],
    ['one by its offset', '2026-02-01T05:00:00.700123-0500', { kind: 'live' }],
    ['no earlier one by its offset', '2026-02-01T11:00:00+01:30', { kind: 'running' }],
  ])('%s', async (_, createdAt, outcome) => {
    expect(await outcomeOf([menu(createdAt)])).toMatchObject(outcome);
  });

  test('the first one since our push, whatever came later', async () => {
    const later = menu('2026-02-01T12:00:00Z', 'ERROR_MA', 'another');
    const earlier = menu('2026-02-01T08:00:00Z', 'ERROR_MA', 'another');
    const own = menu('2026-02-01T10:00:03Z');
    expect(await outcomeOf([later, own, earlier])).toEqual({ kind: 'live' });
    expect(await outcomeOf([earlier, own, later])).toEqual({ kind: 'live' });
  });

  test('none of an empty list', async () => {
    expect(await outcomeOf([])).toEqual({ kind: 'running', status: 'no word' });
  });
});

describe('what App D says of our menu', () => {
  const at = '2026-02-01T10:00:05Z';

  test.each([
    ['approved', { kind: 'live' }],
    ['PENDING', { kind: 'running', status: 'waiting' }],
    ['', { kind: 'running', status: 'waiting' }],
  ])('%j', async (status, outcome) => {
    expect(await outcomeOf([menu(at, status)])).toEqual(outcome);
  });

  test.each([
    ['The image is too dark', 'The image is too dark'],
    ['Bearer tk-secret is no menu', 'Bearer [redacted] is no menu'],
    [null, 'The app rejected the menu and gave no reason.'],
    [{ code: 1 }, 'The app rejected the menu and gave no reason.'],
  ])('refused: %j', async (why, reason) => {
    const outcome = await outcomeOf([menu(at, 'ERROR_MA', why)]);
    expect(outcome).toEqual({ kind: 'rejected', reasons: [reason] });
  });

  test.each([
    [{ status: 'APPROVED', created_at: at }],
    [[menu('yesterday')]],
    [[menu(null)]],
    [[[]]],
    ['APPROVED'],
  ])('nothing, if the answer is %j', async (answer) => {
    expect(await outcomeOf(answer)).toMatchObject({ kind: 'unknown' });
  });
});

test('without the app’s own number of the store it cannot be asked', async () => {
  for (const store of [{}, { rappi_store_id: '7/../8' }]) {
    expect(await outcomeOf([], store)).toMatchObject({
      kind: 'retry',
      reason: 'The store credential has no rappi_store_id.',
    });
  }
});
