import type { Connection } from './connection';
import { ConnectionLostError } from './connection-errors';
import { asPostgresAway } from './postgres-away-error';

/**
 * Like `work`, but rejects when the connection is lost. Needed because the body of a transaction may be busy with
 * something else, and because the library forgets a statement written between a socket's `error` and its `close`.
 */
export function untilLost<T>(
  connection: Pick<Connection, 'onLost'>,
  work: () => PromiseLike<T>,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    // A round of the event loop later, because the statement's own rejection says more.
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
