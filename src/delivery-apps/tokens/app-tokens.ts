import { setTimeout as delay } from 'node:timers/promises';
import {
  type AppTokenRow,
  findAppToken,
  invalidateAppToken,
  isLatestConfiguration,
  isTokenBeingFetched,
  isTokenOf,
  leaseTokenRefresh,
  releaseTokenRefresh,
  storeAppToken,
} from '../sql/app-tokens';
import type { Sql } from '../../platform/db/client';
import type { SecretBox } from '../../platform/crypto/secrets';
import { appTokenContext, configurationText, type Credential } from './app-access';
import { tokenEnd, untilRenewalMs } from './token-life';
import type { DeliveryAppClient, TokenResult } from '../app-client';

export interface Token {
  readonly kind: 'token';
  readonly token: string;
  readonly version: number;
}

export type Access =
  | Token
  | Exclude<TokenResult, { kind: 'token' }>
  /**
   * Another upload is fetching one and did not finish soon, or the answer is of no use: the credential may
   * have changed meanwhile.
   */
  | { readonly kind: 'elsewhere' };

export interface AppTokens {
  /**
   * The stored token while it is good, otherwise a fresh one, fetched for `owner` (an upload, or a queue of
   * availability); only one fetch runs at a time over all workers. If the app cannot give a new one, the old one is
   * used until its very end. Throws if the credential is to be loaded again, as its integration was configured anew, or
   * its store connected. `kept`: a token found a moment ago, which saves the query.
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
  /** Lets up to `count` of the uploads waiting for a credential's token continue; not awaited, and never throws. */
  readonly resumeWaiting: (credentialKey: string, count: number) => void;
  /** Total time of one request to an app, ms. */
  readonly timeoutMs: number;
}

/**
 * A token takes up to three calls, and the lease outlives them: two processes fetch at once only if the first one
 * died.
 */
const LEASE_CALLS = 3;
const LEASE_MARGIN_MS = 10_000;
/** Longer than a normal token call, so that a store's first uploads share one call and need not come back. */
const PATIENCE_MS = 1_000;
/**
 * How many waiting uploads continue at once: with a token all; after a refusal, which each gets for itself, a few.
 */
const RESUMED_WITH_TOKEN = 1_000;
const RESUMED_AFTER_REFUSAL = 10;

export function createAppTokens({
  sql,
  secrets,
  resumeWaiting,
  timeoutMs,
}: AppTokensDeps): AppTokens {
  /** Fetches in progress in this process, each for a credential as it was configured. */
  const underWay = new Map<string, Promise<Access>>();

  /** `elsewhere` = another process has the right to fetch, or has taken it over. */
  async function fetchOnce(
    client: DeliveryAppClient,
    credential: Credential,
    owner: string,
  ): Promise<Access> {
    const { key } = credential;
    const leaseMs = LEASE_CALLS * timeoutMs + LEASE_MARGIN_MS;
    const lease = await leaseTokenRefresh(sql, credential, owner, leaseMs);
    if (!lease) {
      if (!(await isLatestConfiguration(sql, credential.configuration))) {
        throw new Error(`${key} was configured anew since it was loaded`);
      }
      // It may have been stored since we looked.
      return (await find(credential))?.open() ?? { kind: 'elsewhere' };
    }
    const { version: replaces, refusedEncrypted: refused } = lease;
    const result = await client.fetchToken({
      ...credential,
      ...(refused && { refusedToken: secrets.decrypt(refused, appTokenContext(credential.key)) }),
    });
    if (result.kind !== 'token') {
      const wasOurs = await releaseTokenRefresh(sql, key, owner);
      // After a failure uploads continue one at a time: they need not wait for a call that is known to have failed.
      resumeWaiting(key, result.kind === 'refused' ? RESUMED_AFTER_REFUSAL : 1);
      return wasOurs ? result : { kind: 'elsewhere' };
    }
    const now = Date.now();
    const livesMs = tokenEnd((result.expiresAt - now) / 1000, now) - now;
    const isStored = await storeAppToken(sql, credential, {
      replaces,
      tokenEncrypted: secrets.encrypt(result.token, appTokenContext(credential.key)),
      livesMs,
      renewsInMs: untilRenewalMs(livesMs),
    });
    if (!isStored) {
      resumeWaiting(key, 1);
      return { kind: 'elsewhere' };
    }
    resumeWaiting(key, RESUMED_WITH_TOKEN);
    return { kind: 'token', token: result.token, version: replaces + 1 };
  }

  async function find(credential: Credential, found?: AppTokenRow) {
    const row = found ?? (await findAppToken(sql, credential.key));
    if (!row?.usable || !isTokenOf(row, credential)) return undefined;
    const open = (): Token => ({
      kind: 'token',
      token: secrets.decrypt(row.tokenEncrypted, appTokenContext(credential.key)),
      version: row.version,
    });
    return { isDue: row.due, open };
  }

  return {
    async get(client, credential, owner, found) {
      const key = `${credential.key} ${configurationText(credential.configuration)}`;
      const kept = await find(credential, found);
      if (kept && !kept.isDue) return kept.open();
      const running = underWay.get(key);
      if (running) {
        if (kept) return kept.open();
        return (await soon(running)) ?? { kind: 'elsewhere' };
      }
      // Registered before any await, so that of simultaneous callers in this process only one queries Postgres.
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

    isBeingFetched: (credential) => isTokenBeingFetched(sql, credential),
  };
}

/** The result of a running call, if it arrives in time. If the call throws, that concerns only its own upload. */
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
