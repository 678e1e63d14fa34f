/**
 * All ways in which a request can fail, with their statuses. The code is the stable, machine-readable half
 * (problem+json); the sentences stand in docs/api.md.
 */
const STATUS = {
  malformed_body: 400,
  too_many_values: 400,
  invalid_header: 400,
  unauthorized: 401,
  permission_denied: 403,
  not_found: 404,
  name_taken: 404,
  user_missing: 404,
  method_not_allowed: 405,
  body_too_slow: 408,
  user_not_active: 409,
  store_not_available: 409,
  time_zone_missing: 409,
  menu_invalid: 409,
  integration_unusable: 409,
  upload_failed: 409,
  menu_change_failed: 409,
  upload_superseded: 409,
  upload_canceled: 409,
  upload_not_cancelable: 409,
  availability_failed: 409,
  not_readable: 409,
  rollout_not_cancelable: 409,
  rollout_not_revertible: 409,
  already_exists: 409,
  too_many_links: 409,
  owner_inactive: 409,
  idempotency_conflict: 409,
  idempotency_running: 409,
  delivery_refused: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  field_invalid: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  pos_unreachable: 502,
  service_busy: 503,
  pos_timeout: 504,
} as const;

export type ErrorCode = keyof typeof STATUS;

/** One entry of a problem+json `errors` array. */
export interface ErrorDetail {
  readonly code: string;
  /** Absent: it has no place in the body, so it is about the whole. */
  readonly pointer?: string;
  readonly detail: string;
  readonly external_id?: string;
  /** The refused value, which the answer cuts; absent for a missing one, and for what may be a secret. */
  readonly value?: unknown;
  /** What to write instead, where a form is wanted: a text of `HINTS`. */
  readonly hint?: string;
}

/** Errors that an answer does not list: their sentence, and how many of them. */
export interface OmittedErrors {
  readonly detail: string;
  readonly count: number;
}

export interface AppErrorOptions {
  /** Every occurrence, for problem+json; without it the sentences themselves are listed. */
  readonly details?: readonly ErrorDetail[];
  /** What `details` has no room for, for problem+json. */
  readonly omitted?: readonly OmittedErrors[];
  /** 422 only: field → sentences. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Set if `data` is not null: a refused type 2 event, or a change that failed. */
  readonly data?: unknown;
}

/** A failure that is explained to the caller. Anything else that is thrown is a bug: 500, logged, unexplained. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly sentences: readonly string[];
  readonly options: AppErrorOptions;

  constructor(
    code: ErrorCode,
    sentences: string | readonly string[],
    options: AppErrorOptions = {},
  ) {
    const list = typeof sentences === 'string' ? [sentences] : sentences;
    super(list[0] ?? code);
    this.code = code;
    this.sentences = list;
    this.options = options;
  }

  get status(): number {
    return STATUS[this.code];
  }
}

/**
 * A 422 for one field, from a check that needed more than the schema. `shown` is what problem+json adds to the
 * sentence: the refused value (never a secret) and what to write instead.
 */
export function fieldError(
  field: string,
  sentence: string,
  shown: Pick<ErrorDetail, 'value' | 'hint'> = {},
): AppError {
  const pointer = `/${field.replaceAll('.', '/')}`;
  return new AppError('field_invalid', [], {
    fields: { [field]: [sentence] },
    details: [{ code: 'invalid', pointer, detail: sentence, ...shown }],
  });
}
