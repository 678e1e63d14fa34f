import { parseJson, toOutcome, toTokenResult } from '../../src/delivery-apps/http-outcome';
import { readBearerToken } from '../../src/delivery-apps/read-bearer-token';
import { type Fields, fieldsOf } from '../../src/delivery-apps/read-payload';
import type * as calls from '../../src/delivery-apps/app-client';
import type * as apps from '../../src/delivery-apps/types';
import { readShownByAppE, transformForAppE, writeUnavailable } from './app-e-menus';

/** Made up for docs/adding-a-delivery-app.md: one menu, a token for an hour, a call that replaces the menu and one that reads it. */
export const appE: apps.DeliveryApp = {
  name: 'example-app',
  maxMenus: 1,
  tokenScope: 'integration',
  checksImages: false,
  readsMenus: true,
  transform: transformForAppE,
  readShown: readShownByAppE,
  availability: {
    idsPerCall: 50,
    mixesBoth: true,
    spacingMs: 0,
    burst: 1,
    repeatsBehindMenus: false,
    writeUnavailable,
  },
  createClient,
};

type Method = 'GET' | 'PUT' | 'POST' | 'PATCH';
type Body = Buffer | object | null;
type Shop = Pick<calls.PushRequest, 'token' | 'appStoreId'>;

function createClient({ http, baseUrl, timeoutMs }: calls.ClientOptions): calls.DeliveryAppClient {
  const send = (method: Method, path: string, body: Body, token?: string) =>
    http.request({
      method,
      url: `${baseUrl}${path}`,
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
      timeoutMs,
      trustedHost: new URL(baseUrl).hostname,
    });

  /** `success` reads the JSON object of a 2xx; undefined where it cannot: that is no success. */
  const ask = async <T>(
    { token, appStoreId }: Shop,
    method: Method,
    body: Body,
    success: (answer: Fields) => T | undefined,
  ) =>
    toOutcome<T>(await send(method, `/shops/${encodeURIComponent(appStoreId)}`, body, token), {
      now: Date.now(),
      secrets: [token],
      success: ({ text }) => success(fieldsOf(parseJson(text))),
      reasons,
    });

  return {
    async fetchToken({ clientId: id, clientSecret: secret }) {
      // Taken before the call: a token whose age starts late would be used after its end.
      const now = Date.now();
      const success = (text: string) => readBearerToken(text, now);
      const result = await send('POST', '/token', { id, secret });
      return toTokenResult(result, { now, secrets: [secret], success, reasons });
    },
    pushMenu: (shop) =>
      ask<calls.PushOutcome>(shop, 'PUT', shop.payload, ({ taken }) =>
        typeof taken === 'string' ? { kind: 'live' } : undefined,
      ),
    async readMenu(shop) {
      const read = await ask<calls.ReadMenuOutcome>(shop, 'GET', null, (menu) =>
        menu['products'] ? { kind: 'read', payload: Buffer.from(JSON.stringify(menu)) } : undefined,
      );
      if (read.kind !== 'rejected') return read;
      const reason = read.reasons.join(' ');
      return reason === 'no_menu' ? { kind: 'absent' } : { kind: 'unknown', reason };
    },
    switchItems({ items, ...shop }) {
      const idsOf = (available: boolean) =>
        items.filter((one) => one.available === available).map(({ wireId }) => wireId);
      const body = { off: idsOf(false), on: idsOf(true) };
      return ask<calls.SwitchOutcome>(shop, 'POST', body, ({ unknown }) => {
        if (!Array.isArray(unknown)) return undefined;
        const failed = unknown.map((id) => ({ externalId: String(id), message: 'Not known.' }));
        return failed.length > 0 ? { kind: 'partly_switched', failed } : { kind: 'switched' };
      });
    },
    pauseStore: ({ paused, ...shop }) =>
      ask<calls.PauseOutcome>(shop, 'PATCH', { open: !paused }, () => ({ kind: 'done' })),
  };
}

/** `{"error":".."}` */
function reasons(text: string): readonly string[] {
  const { error } = fieldsOf(parseJson(text));
  return typeof error === 'string' ? [error] : [];
}
