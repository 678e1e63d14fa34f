import type { Connection } from './connection';
import { ConnectionLostError } from './connection-errors';
import { asPostgresAway } from './postgres-away-error';

/**
 * Like `work`, but rejects when the connection is lost. A body of a transaction may be busy with something else; and a
 * statement that is written between a socket's `error` and its `close` is forgotten by the library.
 */
export function untilLost<T>(
  connection: Pick<Connection, 'onLost'>,
  work: () => PromiseLike<T>,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    // In the next turn: what is rejected for itself tells more.
    const forget = connection.onLost(() =>
      setImmediate(() => reject(asPostgresAway(new ConnectionLostError()))),
    );
    const settle =
      <V>(pass: (value: V) => void) =>
      (value: V) => {
        forget();
        pass(value);
      };
    work().then(settle(resolve), settle(reject));
  });
}
