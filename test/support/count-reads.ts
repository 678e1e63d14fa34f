/**
 * Runs `work` on `value` and counts the properties that it reads of it, however deep: work without a clock. An entry of
 * a list is a property, and so is a list's length.
 */
export function countReads<Value>(value: Value, work: (watched: Value) => void): number {
  let reads = 0;
  const watched = new WeakMap<object, object>();
  function watch<Part>(part: Part): Part {
    if (typeof part !== 'object' || part === null) return part;
    const known = watched.get(part);
    if (known !== undefined) return known as Part;
    const proxy = new Proxy(part, {
      get(target, key, receiver) {
        reads += 1;
        return watch(Reflect.get(target, key, receiver) as unknown);
      },
    });
    watched.set(part, proxy);
    return proxy;
  }
  work(watch(value));
  return reads;
}
