import type { ISql } from 'postgres';
import { arrayTypeFor } from './array-types';
import { guardQuery, type StatementGuard } from './guarded-query';

/**
 * The library's `sql` with every statement guarded, and with the methods in `own` replacing the library's. `model`
 * only builds queries; they run on the connection that each gets.
 */
export function guardSql<T extends ISql>(model: T, guard: StatementGuard, own: Partial<T> = {}): T {
  const methods: Partial<ISql> = {
    ...own,
    // The library's own two start statements that we cannot guard.
    notify: (channel, payload) =>
      guardQuery(model`select pg_notify(${channel}, ${payload})`, guard),
    unsafe: (...args) => guardQuery(model.unsafe(...args), guard),
    // The library's own version needs a table of types that only the server could fill.
    array: (values, type) =>
      Object.assign(model.typed(values, type ?? arrayTypeFor(values[0])), { array: true as const }),
  };
  return new Proxy(model, {
    apply: (target, self, args) => guardQuery(Reflect.apply(target, self, args), guard),
    get: (target, name) => Reflect.get(name in methods ? methods : target, name),
  });
}
