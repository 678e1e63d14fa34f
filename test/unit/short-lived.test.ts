import { readFileSync } from 'node:fs';
import { createBag, createShortLivedMap } from '../../src/platform/short-lived';
import { collectAll, keptAfter } from '../support/garbage';
import { filesIn, PROGRAM } from '../support/source-files';

const ITEM_BYTES = 20_000;
const ITEMS = 2_000;

const makeItem = () => ({ bytes: Array.from({ length: ITEM_BYTES / 8 }, () => 0) });

/** Adds items one after the other; there are three of them at a time. */
function churn(add: (item: object) => void, remove: (item: object) => void, items: number): void {
  const current: object[] = [];
  for (let n = 0; n < items; n += 1) {
    const item = makeItem();
    add(item);
    current.push(item);
    const [oldest] = current;
    if (current.length <= 3 || !oldest) continue;
    remove(oldest);
    current.shift();
  }
}

describe('a bag', () => {
  test('holds each object once, until it is deleted', () => {
    const bag = createBag<{ name: string }>();
    const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
    for (const each of [a, b, a, c]) bag.add(each);
    expect([...bag]).toEqual([a, b, c]);
    bag.delete(a);
    bag.delete(a);
    expect(new Set(bag)).toEqual(new Set([b, c]));
    bag.add(a);
    bag.delete(c);
    expect(new Set(bag)).toEqual(new Set([a, b]));
  });

  test('may change while it is gone through', () => {
    const bag = createBag<{ name: string }>();
    for (const name of ['a', 'b', 'c']) bag.add({ name });
    const seen: string[] = [];
    for (const each of bag) {
      bag.delete(each);
      bag.add({ name: 'later' });
      seen.push(each.name);
    }
    expect(seen).toEqual(['a', 'b', 'c']);
    expect([...bag]).toHaveLength(3);
  });

  test('keeps nothing of what was deleted, where a Set does', async () => {
    const [bag, set] = [createBag<object>(), new Set<object>()];
    const inBag = (items: number) =>
      churn(
        (each) => bag.add(each),
        (each) => bag.delete(each),
        items,
      );
    const inSet = (items: number) =>
      churn(
        (each) => set.add(each),
        (each) => set.delete(each),
        items,
      );
    // Their tables become old.
    inBag(10);
    inSet(10);
    collectAll();
    expect(await keptAfter(() => inBag(ITEMS))).toBeLessThan(0.1 * ITEMS * ITEM_BYTES);
    // Should this fail, V8 does it no more, and the bag is not needed.
    expect(await keptAfter(() => inSet(ITEMS))).toBeGreaterThan(0.1 * ITEMS * ITEM_BYTES);
  });
});

describe('a short-lived map', () => {
  test('is a map', () => {
    const map = createShortLivedMap<string, number[]>();
    map.set('a', [1]);
    map.set('b', [2]);
    map.set('a', [3]);
    expect([map.get('a'), map.get('c'), map.size()]).toEqual([[3], undefined, 2]);
    expect(map.values()).toEqual([[3], [2]]);
    map.delete('a');
    map.delete('a');
    expect([map.get('a'), map.values(), map.size()]).toEqual([undefined, [[2]], 1]);
  });

  test('keeps nothing of what was deleted', async () => {
    const map = createShortLivedMap<number, object>();
    let last = 0;
    const inMap = (items: number) =>
      churn(
        (each) => map.set((last += 1), each),
        () => map.delete(last - 3),
        items,
      );
    inMap(10);
    collectAll();
    expect(await keptAfter(() => inMap(ITEMS))).toBeLessThan(0.1 * ITEMS * ITEM_BYTES);
  });
});

const ASSIGNED = /\w\.\w+ (?:\?\?|\|\|)?= (?:async )?(?:\([^()]*\) =>|\w+ =>|function\b)/;
/** Where it happens once for a process or connection. */
const ONCE = ['src/platform/outbound/interim-answers.ts', 'src/platform/temporal/connection.ts'];

test('no function is written where it is assigned to a property: V8 puts it among old memory', () => {
  const sources = filesIn(PROGRAM, /\.ts$/);
  expect(sources.length).toBeGreaterThan(300);
  const found = sources.filter((file) =>
    ASSIGNED.test(readFileSync(file, 'utf8').replaceAll('\n', ' ')),
  );
  expect(found.toSorted()).toEqual(ONCE);
});
