/** The answers of one endpoint by status: sentences, with `VALUE` for what differs. */
export type Answers = Readonly<Record<number, readonly string[]>>;

/** An endpoint's row of the table. */
export interface EndpointCells {
  /** `METHOD /path/{parameter}` */
  readonly endpoint: string;
  readonly answers: Answers;
  /** Whether an `Idempotency-Key` makes it answer the same again. */
  readonly replays: boolean;
}

/** What a cell of a field's 422 looks like: `field: sentence`. */
export function field(name: string, ...sentences: readonly string[]): string[] {
  return sentences.map((each) => `${name}: ${each}`);
}

/** Possible errors in the paging of a list. */
export const PAGE = [
  ...field('limit', 'The limit must be a number.', 'The selected limit is invalid.'),
  ...field('cursor', 'The selected cursor is invalid.'),
];

/** Possible errors in the bounds of time of a list. */
export const MOMENTS = [
  ...field('since', 'The since format is invalid.'),
  ...field('until', 'The until format is invalid.'),
];

/** Possible errors in the time and the request of a list. */
export const MADE_BY = [
  ...MOMENTS,
  ...field(
    'request_id',
    'The request id format is invalid.',
    'The request id may not be greater than 255 characters.',
  ),
];

/** Possible errors in what is searched for. */
export const SEARCHED = field(
  'q',
  'The q field is required.',
  'The q format is invalid.',
  'The q may not be greater than 255 characters.',
);

export function merge(...all: readonly Answers[]): Answers {
  const merged = new Map<number, string[]>();
  for (const answers of all) {
    for (const [status, sentences] of Object.entries(answers)) {
      const known = merged.get(Number(status)) ?? [];
      merged.set(Number(status), [...known, ...sentences]);
    }
  }
  return Object.fromEntries(merged);
}

const EVERYWHERE: Answers = {
  401: ['Unauthorized.'],
  405: ['The method is not allowed.'],
  429: ['Too many requests.'],
  500: ['Something went wrong.'],
  // Postgres is away.
  503: ['Something went wrong.'],
};

const INACTIVE: Answers = { 409: ['User not authenticated.', 'User not found.'] };

export const PERMISSION_DENIED: Answers = {
  403: ['You do not have the permissions to access this resource.'],
};

const BODY: Answers = {
  400: [
    'The request body is empty.',
    'The request body must be an object.',
    'The request body is not valid JSON.',
    'The request body is not valid UTF-8.',
    'The request body is not valid gzip.',
    'The request body is nested too deeply.',
    'The request body contains characters that are not allowed.',
  ],
  413: ['The request body is too large.'],
  503: ['The service is busy.'],
  415: ['The content type must be application/json.', 'The content encoding must be gzip or none.'],
};

const TOO_LARGE: Answers = { 413: ['The request body is too large.'] };

/** Of a key on a request that may have a body. */
const OTHER_BODY: Answers = {
  409: ['The idempotency key was already used with a different request.'],
};

const KEY: Answers = {
  400: ['The idempotency key is not valid.'],
  409: ['A request with this idempotency key is still in progress.'],
};

/** A GET under /api/v1. */
export function read(path: string, answers: Answers): EndpointCells {
  return {
    endpoint: `GET /api/v1${path}`,
    answers: merge(EVERYWHERE, INACTIVE, answers),
    replays: false,
  };
}

/** A POST under /api/v1 with a JSON body. */
export function write(path: string, answers: Answers, inactive: Answers = INACTIVE): EndpointCells {
  return writeBy('POST', path, answers, inactive);
}

/** A PUT under /api/v1 with a JSON body. */
export function set(path: string, answers: Answers): EndpointCells {
  return writeBy('PUT', path, answers, INACTIVE);
}

function writeBy(
  method: 'POST' | 'PUT',
  path: string,
  answers: Answers,
  inactive: Answers,
): EndpointCells {
  return {
    endpoint: `${method} /api/v1${path}`,
    answers: merge(EVERYWHERE, inactive, BODY, OTHER_BODY, KEY, answers),
    replays: true,
  };
}

/** A POST under /api/v1 with a JSON body that changes nothing, so that a key means nothing to it. */
export function ask(path: string, answers: Answers): EndpointCells {
  return {
    endpoint: `POST /api/v1${path}`,
    answers: merge(EVERYWHERE, INACTIVE, BODY, answers),
    replays: false,
  };
}

/** A PATCH under /api/v1: sent again it does the same, so it needs no key. */
export function change(path: string, answers: Answers): EndpointCells {
  return {
    endpoint: `PATCH /api/v1${path}`,
    answers: merge(EVERYWHERE, INACTIVE, BODY, answers),
    replays: false,
  };
}

/** A DELETE under /api/v1: sent again it is a 404. */
export function remove(path: string, answers: Answers): EndpointCells {
  return {
    endpoint: `DELETE /api/v1${path}`,
    answers: merge(EVERYWHERE, INACTIVE, { 200: ['Success.'] }, answers),
    replays: false,
  };
}

/** A POST under /api/v1 that says everything by its path. */
export function act(path: string, answers: Answers): EndpointCells {
  return {
    endpoint: `POST /api/v1${path}`,
    answers: merge(EVERYWHERE, INACTIVE, TOO_LARGE, OTHER_BODY, KEY, answers),
    replays: true,
  };
}

/** Outside of /api/v1, without a token. */
export function open(endpoint: string, answers: Answers): EndpointCells {
  const wrongMethod = { 405: ['The method is not allowed.'] };
  return { endpoint, answers: merge(wrongMethod, answers), replays: false };
}
