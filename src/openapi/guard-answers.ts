import { MAX_VALUES } from '../http/body/json-text';
import type { RouteContract } from '../http/route';
import type { Refusal } from '../contract/answers';
import { BUSY } from '../contract/refusals';

const TOO_LARGE: Refusal = { status: 413, sentences: ['The request body is too large.'] };
const TOO_SLOW: Refusal = {
  status: 408,
  when: 'It brought less than 80 KB in 5 s while room for bodies was scarce.',
  sentences: ['The request body arrived too slowly.'],
};
const DEFECT: Refusal = { status: 500, sentences: ['Something went wrong.'] };
const POSTGRES_AWAY: Refusal = {
  status: 503,
  when: 'The database cannot be reached.',
  sentences: ['Something went wrong.'],
  headers: ['Retry-After'],
};

const TOO_MANY: Refusal = {
  status: 429,
  sentences: ['Too many requests.'],
  headers: ['Retry-After'],
};

/** Possible answers to any request with a token. */
const OF_TOKEN: readonly Refusal[] = [
  { status: 409, when: 'Your user was deactivated.', sentences: ['User not authenticated.'] },
  TOO_MANY,
];

const OF_BODY: readonly Refusal[] = [
  {
    status: 400,
    sentences: [
      'The request body is not valid JSON.',
      'The request body is empty.',
      'The request body must be an object.',
      'The request body is not valid UTF-8.',
      'The request body is nested too deeply.',
      'The request body contains characters that are not allowed.',
    ],
  },
  TOO_SLOW,
  TOO_LARGE,
  { status: 415, sentences: ['The content type must be application/json.'] },
];

/** Only for bodies that are large enough: a value takes at least two bytes. */
const TOO_MANY_VALUES: Refusal = {
  status: 400,
  sentences: ['The request body has too many values.'],
};

const OF_IDEMPOTENCY: readonly Refusal[] = [
  { status: 400, sentences: ['The idempotency key is not valid.'] },
  {
    status: 409,
    when: 'The idempotency key belongs to another request, or to one that still runs.',
    sentences: [
      'The idempotency key was already used with a different request.',
      'A request with this idempotency key is still in progress.',
    ],
    headers: ['Retry-After'],
  },
];

const TYPES = {
  urlencoded: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const;

/** What stands in front of a form of the console. */
function ofForm(body: RouteContract['body']): readonly Refusal[] {
  if (body.kind !== 'form') return [];
  return [
    ...(body.encoding === 'multipart'
      ? [{ status: 400, sentences: ['The form is not valid.'] } as const]
      : []),
    { status: 403, sentences: ['The form was not made by this page.'] },
    { status: 415, sentences: [`The content type must be ${TYPES[body.encoding]}.`] },
    TOO_LARGE,
    BUSY,
  ];
}

const OF_PERMISSION: Refusal = {
  status: 403,
  sentences: ['You do not have the permissions to access this resource.'],
};

const OF_SIGHT: Refusal = {
  ...OF_PERMISSION,
  when: 'You only see it, by the permission `support`.',
};

/** The answers of an operation's guards, in their order; 401 is separate. */
export function guardAnswers({ access, body, idempotency }: RouteContract): readonly Refusal[] {
  switch (access.kind) {
    case 'public':
      return ofForm(body);
    case 'session':
      return [...ofForm(body), TOO_MANY, DEFECT, POSTGRES_AWAY];
    case 'signature':
      return [TOO_LARGE, TOO_MANY, BUSY, DEFECT, POSTGRES_AWAY];
    case 'token':
      return [
        ...(body.kind === 'json' ? OF_BODY : []),
        ...(body.kind === 'empty' ? [TOO_SLOW, TOO_LARGE] : []),
        ...(body.kind === 'json' && body.maxBytes > 2 * MAX_VALUES ? [TOO_MANY_VALUES] : []),
        ...(access.permission === null ? [] : [OF_PERMISSION]),
        ...(access.acts ? [OF_SIGHT] : []),
        ...OF_TOKEN,
        {
          status: access.deletedUser === 'user_missing' ? 404 : 409,
          when: 'Your user was deleted.',
          sentences: ['User not found.'],
        },
        ...(idempotency === 'kept' ? OF_IDEMPOTENCY : []),
        BUSY,
        DEFECT,
        POSTGRES_AWAY,
      ];
  }
}
