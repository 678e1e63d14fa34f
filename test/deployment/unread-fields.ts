/** Paths of values that `read` never reads, such as `spec.template.imag`. */
export function unreadFields(value: object, read: (watched: object) => void): string[] {
  const seen = new Set<string>();
  read(watch(value, '', seen));
  return pathsIn(value, '').filter((path) => !seen.has(path));
}

function watch(value: object, at: string, seen: Set<string>): object {
  return new Proxy(value, {
    get(target, name) {
      const found: unknown = Reflect.get(target, name);
      if (typeof name === 'symbol') return found;
      const path = joined(at, name);
      seen.add(path);
      return isObject(found) ? watch(found, path, seen) : found;
    },
  });
}

function pathsIn(value: object, at: string): string[] {
  return Object.entries(value).flatMap(([name, each]) => {
    const path = joined(at, name);
    return [path, ...(isObject(each) ? pathsIn(each, path) : [])];
  });
}

const joined = (at: string, name: string) => (at === '' ? name : `${at}.${name}`);

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
