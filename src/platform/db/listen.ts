import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Row } from 'postgres';
import { inBackground } from '../in-background';
import { type Connection, openConnection } from './connection/connection';
import { withDeadline } from './connection/statement-deadline';
import { untilLost } from './connection/until-lost';
import { MISSING_SETTINGS_QUERY, POOLER_CONNECT_QUERY } from './session-settings';

export interface ListenHandlers {
  /** Must not throw; the payload is at most 8,000 bytes. */
  readonly onNotify: (channel: string, payload: string) => void;
  /** Called after each LISTEN, including the first: notifications sent in between are lost, so read the rows. */
  readonly onListening: () => void;
  /**
   * A later try than the first found that nothing can be heard until somebody sets up the pooler as `error` says; told
   * once until it is heard again.
   */
  readonly onMisconfigured?: (error: Error) => void;
  /** Run in each session before it listens, such as the taking of a lock that tells for how long the session lives. */
  readonly sessionStatement?: string;
}

export interface Listener {
  stop(): Promise<void>;
}

/** Behind such a pooler LISTEN succeeds but nothing ever arrives, which is worse than failing. */
export class TransactionPoolerError extends Error {
  constructor() {
    super(
      'notifications do not arrive: DATABASE_URL leads through a transaction pooler, so DATABASE_DIRECT_URL is needed, which does not',
    );
    this.name = 'TransactionPoolerError';
  }
}

/** Statements would have no deadline there, or plans that read whole tables. */
export class PoolerSettingsError extends Error {
  constructor(missing: string) {
    super(
      `sessions behind the pooler of DATABASE_URL lack ${missing}; its connect_query has to be: ${POOLER_CONNECT_QUERY}`,
    );
    this.name = 'PoolerSettingsError';
  }
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
/** A connection that only listens does not notice by itself that the other side is gone. */
const HEARTBEAT_MS = 2_000;
const ANSWER_TIMEOUT_MS = 3_000;

/**
 * Listens on a separate connection forever: a lost one is replaced, with pauses of 0.1 to 2 s. (The library's
 * `listen` gives up when its first reconnect fails.) Resolves after the first try, even if Postgres is away; rejects
 * with `TransactionPoolerError` if that try finds a transaction pooler, with `PoolerSettingsError` if the pooler's
 * sessions have wrong settings. A later try that finds either goes to `onMisconfigured`. `pooledUrl`: the way of the
 * notifying statements, through a transaction pooler to the same database; null: the same as the listener's.
 */
export function listenResiliently(
  databaseUrl: string,
  channels: readonly string[],
  handlers: ListenHandlers,
  pooledUrl: string | null = null,
): Promise<Listener> {
  const stopping = new AbortController();
  const { signal } = stopping;

  /** One connection, from LISTEN until it is lost. */
  async function listenOnce(onUp: () => void): Promise<void> {
    const session = openSession(databaseUrl, handlers.onNotify);
    signal.addEventListener('abort', session.lose, { once: true });
    try {
      if (handlers.sessionStatement !== undefined) await session.run(handlers.sessionStatement);
      await session.listen(channels);
      await session.ping();
      await proveDelivery(session, databaseUrl, pooledUrl);
      handlers.onListening();
      onUp();
      await session.lost;
    } finally {
      signal.removeEventListener('abort', session.lose);
      await session.close();
    }
  }

  return new Promise((resolve, reject) => {
    let pause = FIRST_PAUSE_MS;
    let tried = false;
    let isMisconfiguredTold = false;
    const onTried = () => {
      tried = true;
      resolve(listener);
    };
    const onUp = () => {
      pause = FIRST_PAUSE_MS;
      isMisconfiguredTold = false;
      onTried();
    };
    const onFailure = (error: unknown) => {
      if (!isMisconfigured(error)) return onTried();
      if (tried) {
        if (!isMisconfiguredTold) handlers.onMisconfigured?.(error);
        isMisconfiguredTold = true;
        return;
      }
      stopping.abort(); // the caller gets no listener to stop
      reject(error);
    };
    const running = (async () => {
      while (!signal.aborted) {
        await listenOnce(onUp).catch(onFailure);
        const jittered = pause * (0.5 + Math.random() / 2);
        await sleep(jittered, undefined, { signal }).catch(() => {});
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      }
    })();
    const listener: Listener = {
      async stop() {
        stopping.abort();
        await running;
      },
    };
  });
}

interface Session {
  run(statement: string): Promise<unknown>;
  listen(channels: readonly string[]): Promise<void>;
  /** Resolves when the connection is gone, or `lose` has been called. */
  readonly lost: Promise<void>;
  readonly lose: () => void;
  /** Resolves when something arrives on this channel, which is hidden from the handlers. */
  received(channel: string): Promise<'received'>;
  /**
   * Resolves when the server answers, behind all that it has to tell; rejects when it does not, or takes no writes:
   * whatever is announced is announced elsewhere then.
   */
  ping(): Promise<unknown>;
  close(): Promise<void>;
}

/** One connection. It runs constant statements for one caller, so it does not need the pool's guards. */
function openSession(databaseUrl: string, onNotify: ListenHandlers['onNotify']): Session {
  const expected = new Map<string, (outcome: 'received') => void>();
  const settings = {
    onnotify(channel: string, payload: string) {
      const expecting = expected.get(channel);
      if (expecting) expecting('received');
      else onNotify(channel, payload);
    },
    connection: { application_name: 'pos-integrations listener' },
  };
  const connection = openConnection(databaseUrl, settings);
  const lost = new Promise<void>((resolve) => connection.onLost(resolve));
  const heartbeat = setInterval(
    () => inBackground(ping(connection), connection.destroy),
    HEARTBEAT_MS,
  );
  return {
    lost,
    lose: connection.destroy,
    run: (statement) => ask(connection, statement),
    async listen(channels) {
      const names = channels.map((channel) => `"${channel.replaceAll('"', '""')}"`);
      await ask(connection, names.map((name) => `listen ${name}`).join('; '));
    },
    received: (channel) => new Promise((resolve) => expected.set(channel, resolve)),
    ping: () => ping(connection),
    async close() {
      clearInterval(heartbeat);
      await connection.end();
    },
  };
}

async function ask(connection: Connection, statement: string): Promise<readonly Row[]> {
  const answer = untilLost(connection, () => connection.library.unsafe(statement));
  const late = { cancel: () => {}, onDead: connection.destroy };
  return withDeadline(answer, ANSWER_TIMEOUT_MS, late);
}

async function ping(connection: Connection): Promise<void> {
  const [row] = await ask(connection, 'show transaction_read_only');
  if (row?.['transaction_read_only'] !== 'off') throw new Error('the server takes no writes');
}

async function checkSettings(connection: Connection): Promise<void> {
  const [row] = await ask(connection, MISSING_SETTINGS_QUERY);
  if (row?.['missing'] !== '') throw new PoolerSettingsError(String(row?.['missing']));
}

function isMisconfigured(error: unknown): error is TransactionPoolerError | PoolerSettingsError {
  return error instanceof TransactionPoolerError || error instanceof PoolerSettingsError;
}

/**
 * Sends the session a notification over a second connection, because a pooler may deliver one to the client that sent
 * it. If that connection goes through a pooler, its session is checked too.
 */
async function proveDelivery(
  session: Session,
  databaseUrl: string,
  pooledUrl: string | null,
): Promise<void> {
  const channel = `delivery_check_${randomUUID()}`;
  const received = session.received(channel);
  await session.listen([channel]);
  const second = openConnection(pooledUrl ?? databaseUrl, { prepare: pooledUrl === null });
  try {
    if (pooledUrl !== null) await checkSettings(second);
    await ask(second, `notify "${channel}"`);
    const outcome = await Promise.race([
      received,
      session.lost.then(() => 'lost' as const),
      sleep(ANSWER_TIMEOUT_MS, 'late' as const, { ref: false }),
    ]);
    switch (outcome) {
      case 'received':
        return;
      case 'lost':
        throw new Error('the connection was lost while it was tried out');
      case 'late':
        // A slow or broken wire is no pooler: it does not answer, or the notification comes before the answer.
        await session.ping();
        if ((await Promise.race([received, nextTurn('late')])) === 'received') return;
        throw new TransactionPoolerError();
    }
  } finally {
    await second.end();
  }
}
