import { setTimeout as delay } from 'node:timers/promises';
import { inBackground } from '../../in-background';
import type { Release } from '../../admission/permits';
import { createPermitQueue, type PermitQueue } from '../../admission/permit-queue';
import type { Connection } from './connection';
import { StatementTimeoutError } from './connection-errors';
import { asPostgresAway, endsConnection, isReadOnly } from './postgres-away-error';
import { watchSilence } from './silence-watch';
import { withDeadline } from './statement-deadline';
import { untilLost } from './until-lost';

/**
 * For whom a statement runs, such as a user; undefined: for all, which is served in turn with the others and may use
 * all.
 */
export type PoolKey = string | undefined;

/** The permits for so many of a pool's connections. */
export type Part = PermitQueue<PoolKey>;

/** A connection that one caller uses. */
export interface HeldConnection {
  readonly connection: Connection;
  /** Takes the error of the last statement, if any, because some errors mean that the connection is unusable. */
  readonly giveBack: (error?: unknown) => void;
}

/** How full a pool is. */
export interface PoolUsage {
  readonly max: number;
  readonly used: number;
  /** Statements waiting because all are used, not those that only wait for others of their part of the pool. */
  readonly waiting: number;
}

export interface Pool {
  readonly usage: () => PoolUsage;
  /**
   * Waits for a connection, in these parts of the pool one after another, `key` in turn with others. If the server is
   * away, rejects as soon as the next try fails.
   */
  readonly take: (parts?: readonly Part[], key?: PoolKey) => Promise<HeldConnection>;
  /** A part of the pool, for statements that may use so many of its connections at once. */
  readonly part: (most: number) => Part;
  readonly end: (options?: { timeout?: number }) => Promise<void>;
}

export interface PoolOptions {
  readonly max: number;
  /** Longest wait for a connection, ms; 0 = no limit. */
  readonly patienceMs: number;
  readonly open: () => Connection;
  /** Whether a connection is one session of the server, whose process can be checked. */
  readonly knowsSessions: boolean;
}

/** A backend remembers every plan and table that it has used, so each is replaced from time to time. */
const LIFETIME_MS = { least: 30 * 60_000, spread: 30 * 60_000 };
/**
 * While the server is away, one connection tries it at most this often, so that a returning server is not flooded.
 */
const KNOCK_PAUSE_MS = { first: 25, longest: 250 };
const KNOCK_TIMEOUT_MS = 8_000;

/** Connections that are opened when needed, used by one caller at a time, and thrown away when they fail. */
export function createPool({ max, patienceMs, open, knowsSessions }: PoolOptions): Pool {
  /**
   * The queue in front of the pool. The library has its own, but a statement cannot leave that one safely: cancelling
   * it while its connection is being opened costs the pool that connection, and cancelling it after it was sent behind
   * another statement shifts every later answer by one. So the library gets no statement before a connection is free.
   */
  const whole = createPart(max);
  const parts = [whole];
  const idle: Connection[] = [];
  const inUse = new Set<Connection>();
  const retireAt = new WeakMap<Connection, number>();
  // Behind a pooler, the pooler itself detects lost sessions.
  const silence = knowsSessions ? watchSilence(open, inUse) : undefined;
  let ended = false;
  let onAllBack: (() => void) | undefined;
  let failedKnocks = 0;
  let knocking: Promise<void> | undefined;

  function openOne(): Connection {
    const connection = open();
    const lifetime = LIFETIME_MS.least + Math.random() * LIFETIME_MS.spread;
    retireAt.set(connection, performance.now() + lifetime);
    return connection;
  }

  /** The last one used, because its caches are warmest. */
  function takeIdle(): Connection | undefined {
    for (;;) {
      const connection = idle.pop();
      if (!connection?.isLost()) return connection;
    }
  }

  function keep(connection: Connection): void {
    if (connection.isLost()) return;
    if (ended || performance.now() > (retireAt.get(connection) ?? 0)) {
      inBackground(connection.end(), () => {});
    } else idle.push(connection);
  }

  /** All connections are replaced, those in use when they are given back. */
  function leaveServer(): void {
    for (const connection of inUse) retireAt.set(connection, 0);
    for (const connection of idle.splice(0)) inBackground(connection.end(), () => {});
  }

  /** One try on behalf of all waiting callers; if it fails, it rejects for all of them. */
  async function knock(): Promise<void> {
    await delay(Math.min(KNOCK_PAUSE_MS.first * 2 ** failedKnocks, KNOCK_PAUSE_MS.longest));
    const connection = openOne();
    try {
      const answer = untilLost(connection, () => connection.library`select 1`);
      await withDeadline(answer, KNOCK_TIMEOUT_MS, {
        cancel: () => {},
        onDead: connection.destroy,
      });
      failedKnocks = 0;
      keep(connection);
    } catch (error) {
      failedKnocks += 1;
      connection.destroy();
      const away = asPostgresAway(error);
      // Those who wait for a permit would try one after another. Connections that work may still serve them.
      if (inUse.size === 0) for (const each of parts) each.refuse(away);
      throw away;
    } finally {
      knocking = undefined;
    }
  }

  async function knockIfAway(): Promise<void> {
    if (failedKnocks > 0 && idle.length === 0) await (knocking ??= knock());
  }

  function refuseIfEnded(): void {
    if (ended) throw new PoolEndedError();
  }

  return {
    usage: () => ({ max, used: whole.atOnce.used(), waiting: whole.waiting.used() }),
    part(most) {
      const part = createPart(most);
      parts.push(part);
      return part;
    },
    async take(of = [], key?) {
      refuseIfEnded();
      await knockIfAway();
      const release = await takeAll([...of, whole], key, patienceMs);
      try {
        // The connection that became free may have been lost with the server.
        await knockIfAway();
        refuseIfEnded();
      } catch (error) {
        release();
        throw error;
      }
      const connection = takeIdle() ?? openOne();
      inUse.add(connection);
      let isHeld = true;
      return {
        connection,
        giveBack(error) {
          if (!isHeld) return;
          isHeld = false;
          inUse.delete(connection);
          if (endsConnection(error)) connection.destroy();
          // The others would go on reading what is no longer true there.
          if (isReadOnly(error)) leaveServer();
          // Lost in use, or never connected: the next caller that needs a new one finds out by trying.
          if (connection.isLost()) failedKnocks ||= 1;
          keep(connection);
          release();
          if (inUse.size === 0) onAllBack?.();
        },
      };
    },
    async end({ timeout } = {}) {
      ended = true;
      silence?.stop();
      const allBack = new Promise<void>((resolve) => (onAllBack = resolve));
      const patience = new AbortController();
      if (inUse.size > 0) {
        const late =
          timeout === undefined
            ? []
            : [delay(timeout * 1_000, undefined, { signal: patience.signal })];
        await Promise.race([allBack, ...late]);
        patience.abort();
      }
      for (const connection of inUse) connection.destroy();
      await Promise.all(idle.splice(0).map((connection) => connection.end()));
    },
  };
}

function createPart(most: number): Part {
  return createPermitQueue<PoolKey>({ atOnce: { ofAll: most, ofKey: 'three quarters' } });
}

/**
 * Waits for a permit of each, one after another, for `patienceMs` together; resolves with what gives all of them back.
 */
async function takeAll(parts: readonly Part[], key: PoolKey, patienceMs: number): Promise<Release> {
  const startedAt = performance.now();
  const held: Release[] = [];
  const releaseAll = (): void => {
    for (const release of held.splice(0)) release();
  };
  try {
    for (const each of parts) {
      const left = patienceMs - (performance.now() - startedAt);
      const longestWaitMs = patienceMs === 0 ? 0 : Math.max(1, Math.ceil(left));
      const release = await each.take(key, { longestWaitMs });
      if (!release) throw new StatementTimeoutError(longestWaitMs, 'waiting for a free connection');
      held.push(release);
    }
    return releaseAll;
  } catch (error) {
    releaseAll();
    throw error;
  }
}

class PoolEndedError extends Error {
  readonly code = 'CONNECTION_ENDED';

  constructor() {
    super('the pool of connections has ended');
    this.name = 'PoolEndedError';
  }
}
