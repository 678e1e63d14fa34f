import type { ISql } from 'postgres';
import { guardQuery, type StatementGuard } from './guarded-query';

/**
 * The library's `sql` with every statement guarded and the methods in `own` put in place of the library's.
 * `library` is asked at each use, because a pool may have been replaced in the meantime.
 */
export function guardSql<T extends ISql>(
  library: () => T,
  guard: () => StatementGuard,
  own: Partial<T> = {},
): T {
  const methods: Partial<ISql> = {
    ...own,
    // The library's own two start their statement out of our sight.
    notify: (channel, payload) =>
      guardQuery(library()`select pg_notify(${channel}, ${payload})`, guard()),
    unsafe: (...args) => guardQuery(library().unsafe(...args), guard()),
  };
  return new Proxy(library(), {
    apply: (_target, self, args) => guardQuery(Reflect.apply(library(), self, args), guard()),
    get: (_target, name) => Reflect.get(name in methods ? methods : library(), name),
  });
}
