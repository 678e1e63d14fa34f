/*
 * Collections for what comes and goes all the time, such as the requests of a server. V8 replaces the table of a `Set`
 * or `Map` every few changes, and a replaced table refers to the next one. Once one of them is old, it keeps all later
 * ones in memory, with all that they held when they were replaced, until the whole heap is collected
 * (docs/decisions/0034-what-is-over-is-let-go.md).
 */

/** Objects in no order. What is added or deleted while they are gone through is not noticed. */
export interface Bag<Item extends object> extends Iterable<Item> {
  add(item: Item): void;
  delete(item: Item): void;
}

export function createBag<Item extends object>(): Bag<Item> {
  const items: Item[] = [];
  const places = new WeakMap<Item, number>();
  return {
    add(item) {
      if (places.has(item)) return;
      places.set(item, items.length);
      items.push(item);
    },
    delete(item) {
      const place = places.get(item);
      if (place === undefined) return;
      places.delete(item);
      const last = items.pop();
      if (last === undefined || last === item) return;
      items[place] = last;
      places.set(last, place);
    },
    [Symbol.iterator]: () => [...items].values(),
  };
}

/** A `Map` whose tables keep nothing of a deleted value. */
export interface ShortLivedMap<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  values(): Value[];
  size(): number;
}

export function createShortLivedMap<Key extends string | number, Value>(): ShortLivedMap<
  Key,
  Value
> {
  const boxes = new Map<Key, Value[]>();

  function empty(key: Key): void {
    boxes.get(key)?.pop();
  }

  return {
    get: (key) => boxes.get(key)?.[0],
    set(key, value) {
      empty(key);
      boxes.set(key, [value]);
    },
    delete(key) {
      empty(key);
      boxes.delete(key);
    },
    values: () => [...boxes.values()].flat(),
    size: () => boxes.size,
  };
}
