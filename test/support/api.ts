import { randomBytes } from 'node:crypto';
import { createStore, grantStoreTo } from '../../src/admin/stores';
import { createToken, createUser } from '../../src/admin/users';
import { type Config, loadConfig } from '../../src/platform/config/config';
import type { Sql } from '../../src/platform/db/client';
import type { Permission } from '../../src/users/sql/users';
import { createLog } from '../../src/platform/observe/log';
import { type ApiOptions, runApi } from '../../src/run/run-api';
import { recordAnswer } from '../api-contract/record-answer';
import { createTestDatabase } from './database';
import { testTemporalAddress } from './temporal';

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: any; // oxlint-disable-line typescript/no-explicit-any -- answers are asserted on, field by field
}

/** A user with a token. */
export interface TestCaller {
  readonly userId: string;
  readonly token: string;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  /** The body unchanged; it need not be JSON. */
  postRaw(path: string, body: string, headers?: Record<string, string>): Promise<TestAnswer>;
  get(path: string, headers?: Record<string, string>): Promise<TestAnswer>;
  patch(path: string, body: unknown): Promise<TestAnswer>;
  remove(path: string): Promise<TestAnswer>;
}

export interface TestApi {
  readonly url: string;
  readonly sql: Sql;
  readonly config: Config;
  /** A new user with one token. */
  user(...permissions: Permission[]): Promise<TestCaller>;
  /** A user with this token. */
  as(userId: string, token: string): TestCaller;
  /** A new store that these users have. */
  store(...owners: TestCaller[]): Promise<number>;
  stop(): Promise<void>;
}

export interface TestApiOptions extends Pick<
  ApiOptions,
  'patience' | 'lookup' | 'metricsRenderedMs'
> {
  readonly logTo?: NodeJS.WritableStream;
}

/** The real API on a free port with its own database, but no worker, so that queued work stays queued. */
export async function startTestApi(
  env: Record<string, string> = {},
  { logTo, ...options }: TestApiOptions = {},
): Promise<TestApi> {
  const database = await createTestDatabase();
  const { sql } = database;
  const config = loadConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: testTemporalAddress(),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    WEBHOOK_ALLOW_HTTP: 'true',
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    LOG_LEVEL: 'silent',
    ...env,
  });
  const api = await runApi({
    config,
    log: createLog(config.LOG_LEVEL, logTo),
    metricsRenderedMs: 0,
    ...options,
  });
  return {
    url: api.url,
    sql,
    config,
    async user(...permissions) {
      const { user_id: userId } = await createUser({ sql }, { name: 'A user', permissions });
      const { token } = await createToken({ sql }, { userId, expiresInSeconds: null });
      return createCaller(api.url, userId, token);
    },
    as: (userId, token) => createCaller(api.url, userId, token),
    async store(...owners) {
      const { store_id: storeId } = await createStore(
        { sql },
        { name: 'A store', country: 'MX', userId: null },
      );
      for (const owner of owners) await grantStoreTo({ sql }, owner.userId, storeId);
      return storeId;
    },
    async stop() {
      await api.stop();
      await database.drop();
    },
  };
}

/** A user with this token, at the API of this URL. */
export function createCaller(url: string, userId: string, token: string): TestCaller {
  async function send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string,
  ): Promise<TestAnswer> {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    const { status, headers: received } = response;
    const text = await response.text();
    recordAnswer({ method, url: response.url, status, headers: received, text });
    return { status, headers: received, text, json: parsed(text) };
  }
  const json = { 'content-type': 'application/json' };
  return {
    userId,
    token,
    post: (path, body, headers) =>
      send('POST', path, { ...json, ...headers }, JSON.stringify(body)),
    postRaw: (path, body, headers) => send('POST', path, { ...json, ...headers }, body),
    get: (path, headers = {}) => send('GET', path, headers),
    remove: (path) => send('DELETE', path, {}),
    patch: (path, body) => send('PATCH', path, json, JSON.stringify(body)),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
