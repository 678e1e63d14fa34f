import type { ISql, Sql as Library } from 'postgres';
import type { StatementGuard } from './guarded-query';
import { guardSql } from './guarded-sql';
import { withDeadline } from './statement-deadline';

/**
 * Runs `body` in a transaction on one connection, committed when it resolves, rolled back when it rejects. Its
 * statements have their own deadlines; `begin`, and `commit` or `rollback`, which the library sends, are timed here.
 */
export async function runTransaction<T>(
  library: Library,
  guard: StatementGuard,
  body: (tx: ISql) => Promise<T>,
): Promise<T> {
  const giveBack = await guard.acquire();
  const onTheConnectionHeld: StatementGuard = { ...guard, acquire: async () => () => {} };
  return new Promise<T>((resolve, reject) => {
    const watch = (phase: Promise<unknown>) => {
      const late = { cancel: () => {}, onDead: guard.onDeadConnection };
      withDeadline(phase, guard.timeoutMs, late).catch(reject);
    };
    let markBegun!: () => void;
    const begun = new Promise<void>((done) => (markBegun = done));
    const whole = library.begin(async (tx) => {
      markBegun();
      const guarded = guardSql<ISql>(
        () => tx,
        () => onTheConnectionHeld,
      );
      try {
        const value = await body(guarded);
        return () => resolve(value); // a function, since the library would await the members of an array
      } finally {
        watch(whole);
      }
    });
    whole.then((succeed) => succeed(), reject).finally(giveBack);
    watch(Promise.race([begun, whole]));
  });
}
