import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from './api-error';
import type {
  Answer,
  CallInput,
  CallOptions,
  ListItem,
  ListOperationId,
  OperationId,
  Schemas,
} from './call-types';
import { OPERATIONS } from './operations';
import { type PatienceOptions, patienceOf, withRepeats } from './repeat';

export interface ClientOptions extends PatienceOptions {
  /** Origin of the service, such as `https://pos.example`. */
  readonly baseUrl: string;
  /** The bearer token; not needed for operations without authentication. */
  readonly token?: string | undefined;
  /** Sends a request in place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

export interface WaitOptions {
  /** How long to wait, ms; 10 minutes when absent. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Client {
  /**
   * Calls one operation. Repeats safe requests (reads, and writes with an idempotency key) after a broken connection,
   * a time-out, 408, 429, 5xx and the 409 of an early repeat. Throws `ApiError` for an unsuccessful answer, and the
   * error of `fetch` if there is no answer.
   */
  call<Id extends OperationId>(id: Id, input: CallInput<Id>): Promise<Answer<Id>>;
  /** The entries of a list, newest first, page after page as they are asked for. */
  each<Id extends ListOperationId>(id: Id, input: CallInput<Id>): AsyncGenerator<ListItem<Id>>;
  /**
   * Waits until an upload has ended, in whatever state, and resolves to it. Takes its id, or the answer or the
   * `ApiError` of the request that made it. Throws `UploadNotEndedError` at the deadline; the upload continues.
   */
  waitForUpload(
    upload: string | { readonly headers: Headers },
    options?: WaitOptions,
  ): Promise<Schemas['Upload']>;
}

/** The upload still ran when the time was over. */
export class UploadNotEndedError extends Error {
  override readonly name = 'UploadNotEndedError';
  /** As last seen. */
  readonly upload: Schemas['Upload'];

  constructor(upload: Schemas['Upload']) {
    super(`the upload ${upload.upload_id} has not ended; it is ${upload.state}`);
    this.upload = upload;
  }
}

/** ms between two looks at an upload: the first, and the longest. */
const FIRST_LOOK_MS = 250;
const LONGEST_LOOK_MS = 5_000;

/** A client of the service at `baseUrl`, for the user of the token. It holds no connection and need not be closed. */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, token, fetch: send = fetch } = options;
  const patience = patienceOf(options);

  const call: Client['call'] = async (id, input) => {
    const { method, keyed } = OPERATIONS[id];
    const { body, signal } = input;
    const url = urlOf(baseUrl, id, input);
    const headers = headersOf(id, input, token);
    const mayRepeat = method === 'GET' || keyed;
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await withRepeats(
      async (ending) => {
        const request = { method, headers, redirect: 'manual', signal: ending, ...text } as const;
        const response = await send(url, request);
        return { status: response.status, headers: response.headers, text: await response.text() };
      },
      mayRepeat ? patience : { ...patience, repeats: 0 },
      signal,
    );
    const { status, headers: received } = answer;
    const given = parsed(answer.text, received);
    if (status < 200 || status > 299) throw new ApiError(status, received, given);
    // The types come from the description of the service, which its tests hold its answers against.
    return { status, headers: received, body: given } as unknown as Answer<typeof id>;
  };

  const each: Client['each'] = async function* each(id, input) {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = { ...input.query, ...(cursor === undefined ? {} : { cursor }) };
      const { body } = await call(id, { ...input, query } as typeof input);
      const page = body as unknown as { data: ListItem<typeof id>[]; next_cursor: string | null };
      yield* page.data;
      cursor = page.next_cursor;
    }
  };

  const waitForUpload: Client['waitForUpload'] = async (given, waiting = {}) => {
    const { timeoutMs = 600_000, signal } = waiting;
    const uploadId = typeof given === 'string' ? given : given.headers.get('x-upload-id');
    if (!uploadId) throw new TypeError('the answer names no upload');
    const endsAt = Date.now() + timeoutMs;
    for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_LOOK_MS)) {
      const { body } = await call('getUpload', { path: { upload_id: uploadId }, signal });
      const { state } = body.data;
      if (state !== 'queued' && state !== 'running') return body.data;
      const leftMs = endsAt - Date.now();
      if (leftMs <= 0) throw new UploadNotEndedError(body.data);
      await sleep(Math.min(pauseMs, leftMs), undefined, signal ? { signal } : {});
    }
  };

  return { call, each, waitForUpload };
}

interface AnyInput extends CallOptions {
  readonly path?: Readonly<Record<string, string | number>> | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

/** Throws `TypeError` where the id is missing, or `.` or `..`: what would be asked for is another resource. */
function urlOf(baseUrl: string, id: OperationId, { path = {}, query = {} }: AnyInput): string {
  const filled = OPERATIONS[id].path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(path[name] ?? '');
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${id} needs ${name}`);
    return encodeURIComponent(value);
  });
  const given = Object.entries(query as Readonly<Record<string, unknown>>);
  const asked = given.filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(
    asked.map(([name, value]): [string, string] => [name, String(value)]),
  );
  const asks = search.size > 0 ? `?${search.toString()}` : '';
  return `${baseUrl.replace(/\/$/, '')}${filled}${asks}`;
}

function headersOf(
  id: OperationId,
  { body, key, headers }: AnyInput,
  token: string | undefined,
): Headers {
  const made = new Headers({ accept: 'application/json', ...headers });
  if (token !== undefined) made.set('authorization', `Bearer ${token}`);
  if (body !== undefined) made.set('content-type', 'application/json');
  if (OPERATIONS[id].keyed) made.set('idempotency-key', key ?? randomUUID());
  return made;
}

/** A proxy may answer HTML with the wrong content type: that is treated as text. */
function parsed(text: string, headers: Headers): unknown {
  if (text === '') return undefined;
  if (!/\bjson\b/.test(headers.get('content-type') ?? '')) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
