import { setTimeout as delay } from 'node:timers/promises';
import {
  findAppToken,
  invalidateAppToken,
  isTokenBeingFetched,
  leaseTokenRefresh,
  releaseTokenRefresh,
  storeAppToken,
} from '../db/app-tokens';
import type { Sql } from '../db/client';
import type { UploadTurns } from '../queue/upload-turns';
import type { UploadId } from '../ids';
import type { SecretBox } from '../secrets';
import type { Credential } from './app-access';
import { tokenEnd } from './token-life';
import type { DeliveryAppClient, TokenResult } from './types';

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
  /** The kept token while it may be used. */
  kept(credential: Credential): Promise<Token | undefined>;
  /**
   * The kept token while it is good, else a fresh one, fetched for `uploadId`, by one upload at a time of all workers.
   * When the app cannot be asked for a new one, the old one serves until its very end.
   */
  get(client: DeliveryAppClient, credential: Credential, uploadId: UploadId): Promise<Access>;
  /** After a 401 for `version`: it is not used again. A newer one, fetched meanwhile, stays. */
  forget(credential: Credential, version: number): Promise<void>;
  /** Sends an upload back to wait for the token that is being fetched elsewhere. */
  await(
    upload: { readonly uploadId: UploadId; readonly attemptNo: number },
    credential: Credential,
  ): Promise<void>;
}

export interface AppTokensDeps {
  readonly sql: Sql;
  readonly secrets: SecretBox;
  readonly turns: UploadTurns;
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

export function createAppTokens({ sql, secrets, turns, timeoutMs }: AppTokensDeps): AppTokens {
  /** What this process fetches now. */
  const underWay = new Map<string, Promise<Access>>();

  /** `elsewhere` = another process has the right to fetch. */
  async function fetchOnce(
    client: DeliveryAppClient,
    credential: Credential,
    owner: UploadId,
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
      turns.call(`token/${key}`, result.kind === 'refused' ? CALLED_AFTER_REFUSAL : 1);
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
    turns.call(`token/${key}`, CALLED_WITH_TOKEN);
    return { kind: 'token', token: result.token, version: replaces + 1 };
  }

  async function find(credential: Credential) {
    const row = await findAppToken(sql, credential.key);
    if (!row?.usable) return undefined;
    const open = (): Token => ({
      kind: 'token',
      token: secrets.decrypt(row.tokenEncrypted, contextOf(credential)),
      version: row.version,
    });
    return { isDue: row.due, open };
  }

  return {
    async kept(credential) {
      return (await find(credential))?.open();
    },

    async get(client, credential, uploadId) {
      const { key } = credential;
      const kept = await find(credential);
      if (kept && !kept.isDue) return kept.open();
      const running = underWay.get(key);
      if (running) {
        if (kept) return kept.open();
        return (await soon(running)) ?? { kind: 'elsewhere' };
      }
      // Registered before anything is waited for, so that of many who come at once in this process one asks Postgres.
      const fetching = fetchOnce(client, credential, uploadId);
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

    await: (upload, { key }) =>
      turns.wait(upload, `token/${key}`, async () => !(await isTokenBeingFetched(sql, key))),
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
