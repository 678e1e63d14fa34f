import { StatementTimeoutError } from './connection-errors';

/** The server's own `statement_timeout` fires this much earlier, so that a late statement normally ends there. */
const HEAD_START_MS = 1_000;
/** How long a healthy server takes, generously, to act on a cancel request. */
const CANCEL_GRACE_MS = 1_000;

export interface LateWork {
  /** Asks the server to stop. */
  readonly cancel: () => void;
  /** Called when not even that brought an answer: the connection is dead without having noticed. */
  readonly onDead: () => void;
}

/**
 * Settles like `work`, or rejects with code 57014 about 2 s after `timeoutMs`. The library would wait forever: on a
 * connection that a firewall has dropped, until the kernel's retransmission limit of a quarter of an hour.
 */
export function withDeadline<T>(work: Promise<T>, timeoutMs: number, late: LateWork): Promise<T> {
  if (timeoutMs === 0) return work;
  return new Promise((resolve, reject) => {
    const onDead = () => {
      reject(new StatementTimeoutError(timeoutMs, 'waiting for the answer'));
      late.onDead();
    };
    const onLate = () => {
      timer = setTimeout(onDead, CANCEL_GRACE_MS);
      late.cancel();
    };
    let timer = setTimeout(onLate, timeoutMs + HEAD_START_MS);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
