import { setTimeout as delay } from 'node:timers/promises';
import {
  type AppTokenRow,
  findAppToken,
  invalidateAppToken,
  isTokenBeingFetched,
  leaseTokenRefresh,
  releaseTokenRefresh,
  storeAppToken,
} from '../sql/app-tokens';
import type { Sql } from '../../platform/db/client';
import type { SecretBox } from '../../platform/crypto/secrets';
import type { Credential } from './app-access';
import { tokenEnd } from './token-life';
import type { DeliveryAppClient, TokenResult } from '../types';

export interface Token {
  readonly kind: 'token';
  readonly token: string;
  readonly version: number;
}

export type Access =
  | Token
  | Exclude<TokenResult, { kind: 'token' }>
  /** Another upload is fetching one, and did not end soon. */
  | { readonly kind: 'elsewhere' };

export interface AppTokens {
  /**
   * The kept token while it is good, else a fresh one, fetched for `owner` (an upload or a line), by one at a time of all workers.
   * When the app cannot be asked for a new one, the old one serves until its very end. `kept`: what was found a moment
   * ago, which saves the look.
   */
  get(
    client: DeliveryAppClient,
    credential: Credential,
    owner: string,
    kept?: AppTokenRow,
  ): Promise<Access>;
  /** After a 401 for `version`: it is not used again. A newer one, fetched meanwhile, stays. */
  forget(credential: Credential, version: number): Promise<void>;
  /** Whether a token is being fetched, here or in another process. */
  isBeingFetched(credential: Credential): Promise<boolean>;
}

export interface AppTokensDeps {
  readonly sql: Sql;
  readonly secrets: SecretBox;
  /** Lets up to `count` of those go on that wait for the token of a credential; not waited for, and never throws. */
  readonly callWaiting: (credentialKey: string, count: number) => void;
  /** Total time of one request to an app, ms. */
  readonly timeoutMs: number;
}

/** A token takes up to three calls, and the lease outlives them: two fetch at once only when the first process is gone. */
const LEASE_CALLS = 3;
const LEASE_MARGIN_MS = 10_000;
/** Longer than a token call takes that goes well, so that a store's first uploads meet in one call and none has to come back. */
const PATIENCE_MS = 1_000;
/** Renewed when a tenth of its life is left, at most five minutes early. */
const LONGEST_MARGIN_MS = 300_000;
/** How many of those who wait go on at once: with a token all; after a refusal, which each hears for itself, a few. */
const CALLED_WITH_TOKEN = 1_000;
const CALLED_AFTER_REFUSAL = 10;

export function createAppTokens({
  sql,
  secrets,
  callWaiting,
  timeoutMs,
}: AppTokensDeps): AppTokens {
  /** What this process fetches now. */
  const underWay = new Map<string, Promise<Access>>();

  /** `elsewhere` = another process has the right to fetch. */
  async function fetchOnce(
    client: DeliveryAppClient,
    credential: Credential,
    owner: string,
  ): Promise<Access> {
    const { key } = credential;
    const leaseMs = LEASE_CALLS * timeoutMs + LEASE_MARGIN_MS;
    const replaces = await leaseTokenRefresh(sql, key, owner, leaseMs);
    if (replaces === undefined) {
      // Stored since we looked, perhaps.
      return (await find(credential))?.open() ?? { kind: 'elsewhere' };
    }
    const result = await client.fetchToken(credential);
    if (result.kind !== 'token') {
      await releaseTokenRefresh(sql, key, owner);
      // After a failure the next one tries, one at a time: nobody waits for a call that is known to have failed.
      callWaiting(key, result.kind === 'refused' ? CALLED_AFTER_REFUSAL : 1);
      return result;
    }
    const now = Date.now();
    const expiresAt = tokenEnd((result.expiresAt - now) / 1000, now);
    await storeAppToken(sql, {
      credentialKey: key,
      replaces,
      tokenEncrypted: secrets.encrypt(result.token, contextOf(credential)),
      expiresAt: new Date(expiresAt),
      renewAt: new Date(expiresAt - Math.min((expiresAt - now) / 10, LONGEST_MARGIN_MS)),
    });
    callWaiting(key, CALLED_WITH_TOKEN);
    return { kind: 'token', token: result.token, version: replaces + 1 };
  }

  async function find(credential: Credential, found?: AppTokenRow) {
    const row = found ?? (await findAppToken(sql, credential.key));
    if (!row?.usable) return undefined;
    const open = (): Token => ({
      kind: 'token',
      token: secrets.decrypt(row.tokenEncrypted, contextOf(credential)),
      version: row.version,
    });
    return { isDue: row.due, open };
  }

  return {
    async get(client, credential, owner, found) {
      const { key } = credential;
      const kept = await find(credential, found);
      if (kept && !kept.isDue) return kept.open();
      const running = underWay.get(key);
      if (running) {
        if (kept) return kept.open();
        return (await soon(running)) ?? { kind: 'elsewhere' };
      }
      // Registered before anything is waited for, so that of many who come at once in this process one asks Postgres.
      const fetching = fetchOnce(client, credential, owner);
      underWay.set(key, fetching);
      try {
        const fetched = await fetching;
        return (fetched.kind === 'retry' || fetched.kind === 'elsewhere') && kept
          ? kept.open()
          : fetched;
      } finally {
        underWay.delete(key);
      }
    },

    forget: (credential, version) => invalidateAppToken(sql, credential.key, version),

    isBeingFetched: ({ key }) => isTokenBeingFetched(sql, key),
  };
}

/** What comes of a call that is under way, if it comes within the patience. A call that throws is its own upload's matter. */
async function soon(fetching: Promise<Access> | undefined): Promise<Access | undefined> {
  if (!fetching) return undefined;
  const heard = new AbortController();
  const late = delay(PATIENCE_MS, undefined, { signal: heard.signal }).catch(() => undefined);
  try {
    return await Promise.race([fetching.catch(() => undefined), late]);
  } finally {
    heard.abort();
  }
}

function contextOf({ key }: Credential): string {
  return `app_token/${key}`;
}
