/** An answer that is no success. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The service's own messages; empty if the body has none. */
  readonly messages: readonly string[];
  /** Of a 422: the sentences by field. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly headers: Headers;
  /** The body, parsed if it is JSON. */
  readonly body: unknown;

  constructor(status: number, headers: Headers, body: unknown) {
    const fields = status === 422 ? fieldsOf(body) : {};
    const messages = messagesOf(body, fields);
    super(`${status}: ${messages.join(' ') || 'no message'}`);
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.fields = fields;
    this.messages = messages;
  }

  /** What to name when asking the service's people about it. */
  get requestId(): string | null {
    return this.headers.get('x-request-id');
  }

  /** Of an upload that was stored and then refused or failed. */
  get uploadId(): string | null {
    return this.headers.get('x-upload-id');
  }
}

function messagesOf(body: unknown, fields: ApiError['fields']): readonly string[] {
  if (typeof body === 'string') return body === '' ? [] : [body];
  if (!isObject(body)) return [];
  const { message } = body;
  if (typeof message === 'string') return [message];
  return isTexts(message) ? message : Object.values(fields).flat();
}

/** A 422 is `{"field": ["sentence"]}`, without anything around it. */
function fieldsOf(body: unknown): ApiError['fields'] {
  if (!isObject(body)) return {};
  const entries = Object.entries(body).flatMap(([field, sentences]) =>
    isTexts(sentences) ? [[field, sentences] as const] : [],
  );
  return Object.fromEntries(entries);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
