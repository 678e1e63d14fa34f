import type { ISql } from 'postgres';
import { arrayTypeFor } from './array-types';
import { asLibraryQuery } from './library-query';
import { runGuarded, type StatementGuard } from './run-guarded';
import { noteHelper, Statement, type StatementRunner } from './statement';

/**
 * The library's `sql` with every statement guarded, and with the methods in `own` replacing the library's. `model`
 * only builds queries; they run on the connection that each gets.
 */
export function guardSql<T extends ISql>(model: T, guard: StatementGuard, own: Partial<T> = {}): T {
  const runner: StatementRunner = {
    query(text, values, origin) {
      const options = { prepare: true, simple: false };
      const query = asLibraryQuery(model.unsafe(text, values as never[], options));
      return Object.defineProperty(query, 'origin', { value: origin });
    },
    template: (strings, args) =>
      asLibraryQuery(Reflect.apply(model, undefined, [strings, ...args])),
    run: (make) => runGuarded(make, guard),
  };
  const methods: Partial<ISql> = {
    ...own,
    // The library's own two start statements that we cannot guard.
    notify: (channel, payload) => tagged`select pg_notify(${channel}, ${payload})`,
    unsafe(...args) {
      const query = () => asLibraryQuery(model.unsafe(...args));
      return new Statement({ ...runner, query }, asTemplate(args[0]), []);
    },
    // The library's own version needs a table of types that only the server could fill.
    array: (values, type) =>
      Object.assign(model.typed(values, type ?? arrayTypeFor(values[0])), { array: true as const }),
  };

  function tagged(strings: TemplateStringsArray, ...args: readonly unknown[]): Statement {
    return new Statement(runner, strings, args);
  }

  return new Proxy(model, {
    apply: (target, self, args: readonly unknown[]) =>
      isTemplate(args[0])
        ? tagged(args[0], ...args.slice(1))
        : noteHelper(Reflect.apply(target, self, args)),
    get: (target, name) => Reflect.get(name in methods ? methods : target, name),
  });
}

function asTemplate(text: string): TemplateStringsArray {
  return Object.assign([text], { raw: [text] });
}

function isTemplate(value: unknown): value is TemplateStringsArray {
  return Array.isArray(value) && 'raw' in value;
}
