import type { ISql } from 'postgres';
import { createPermitQueue } from '../../admission/permit-queue';
import { ConnectionLostError, StatementTimeoutError } from './connection-errors';
import type { Connection } from './connection';
import { asLibraryQuery } from './library-query';
import type { StatementGuard } from './run-guarded';
import { guardSql } from './guarded-sql';
import { asPostgresAway } from './postgres-away-error';
import { withDeadline } from './statement-deadline';
import { untilLost } from './until-lost';

/** Lets one statement at a time run in each transaction, by the guard of its own. */
const statementQueue = createPermitQueue<StatementGuard>({ atOnce: { ofKey: 1 } });

/**
 * Runs `body` in a transaction on one connection. It commits when `body` resolves, and rolls back when it rejects or
 * one of its statements failed. The statements run one after another, each with its own deadline; so do `begin`,
 * `commit` and `rollback`. A statement after the connection was lost, or after the end, is refused, because on
 * another connection it would be outside of the transaction.
 */
export async function runTransaction<T>(
  model: ISql,
  guard: StatementGuard,
  body: (tx: ISql) => Promise<T>,
): Promise<T> {
  const { connection, giveBack } = await guard.take().catch((error: unknown) => {
    throw asPostgresAway(error);
  });
  const control = (statement: string) => runControl(connection, statement, guard.timeoutMs);
  /** The first one; the pool judges by it whether the connection, or its server, may be used again. */
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;
  const inside: StatementGuard = {
    ...guard,
    async take() {
      const release = await statementQueue.take(inside, { longestWaitMs: guard.timeoutMs });
      if (!release)
        throw new StatementTimeoutError(guard.timeoutMs, 'waiting for a free connection');
      if (!isOver && !connection.isLost())
        return {
          connection,
          giveBack(error) {
            if (error !== undefined) failure ??= { error };
            release();
          },
        };
      release();
      throw asPostgresAway(new ConnectionLostError());
    },
  };
  try {
    await control('begin');
    const value = await untilLost(connection, async () => body(guardSql<ISql>(model, inside)));
    if (failure) throw failure.error;
    isOver = true;
    await control('commit').catch((error: unknown) => {
      failure = { error };
      throw error;
    });
    return value;
  } catch (error) {
    isOver = true;
    // If the rollback fails, cutting the connection rolls back.
    if (!connection.isLost()) await control('rollback').catch(connection.destroy);
    throw error;
  } finally {
    giveBack(failure?.error);
  }
}

async function runControl(
  connection: Connection,
  statement: string,
  timeoutMs: number,
): Promise<void> {
  try {
    const answer = untilLost(connection, () => {
      const query = asLibraryQuery(connection.library.unsafe(statement));
      connection.adopt(query);
      return query;
    });
    answer.then(connection.settle, connection.settle);
    const late = { cancel: () => {}, onDead: connection.destroy };
    await withDeadline(answer, timeoutMs, late);
  } catch (error) {
    throw asPostgresAway(error);
  }
}
