import { STATUS_CODES } from 'node:http';
import { AppError, type ErrorCode, type ErrorDetail } from '../platform/errors';
import type { FieldProblemCode } from '../platform/validation/field-sentence';

/** The code of a refusal whose status has several, by its sentence. */
const BY_SENTENCE: Readonly<Record<string, ErrorCode>> = {
  'The idempotency key is not valid.': 'invalid_header',
  'This name is not available.': 'name_taken',
  'User not authenticated.': 'user_not_active',
  "You don't have this store available.": 'store_not_available',
  'The menu must have a name.': 'menu_invalid',
  'Integration not available.': 'integration_unusable',
  'The upload can no longer be canceled.': 'upload_not_cancelable',
  'The rollout can no longer be canceled.': 'rollout_not_cancelable',
  'The rollout is still running.': 'rollout_not_revertible',
  'The Inventory System already exists.': 'already_exists',
  'The owner of this webhook is inactive.': 'owner_inactive',
  'The service is busy.': 'service_busy',
};
/** The code of any other refusal with the status. */
const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'malformed_body',
  403: 'permission_denied',
  404: 'not_found',
  408: 'body_too_slow',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  500: 'internal',
  502: 'pos_unreachable',
  503: 'unavailable',
  504: 'pos_timeout',
};
/** Where in the body a sentence about a menu is true. */
const IN_MENU: Readonly<Record<string, Omit<ErrorDetail, 'detail'>>> = {
  'The menu must have a name.': {
    code: 'required',
    pointer: '/menus/0/name',
    external_id: 'main',
  },
};
const OF_FIELD: readonly (readonly [FieldProblemCode, RegExp])[] = [
  ['required', /^The .* field is required\.$/],
  ['not_number', /^The .* must be a number\.$/],
  ['invalid_format', /^The .* format is invalid\.$/],
  ['invalid', /^The selected .* is invalid\.$/],
];

/** A refusal as problem+json; undefined if its code is not known here: a wrong one would be worse than none. */
export function problemExample(status: number, sentence: string): object | undefined {
  const code = [BY_SENTENCE[sentence], BY_STATUS[status]].find(
    (each) => each !== undefined && new AppError(each, sentence).status === status,
  );
  if (code === undefined) return undefined;
  return problem(code, { code, ...IN_MENU[sentence], detail: sentence });
}

/** The same for the 422 of a field. */
export function fieldProblemExample(field: string, sentence: string): object | undefined {
  const [code] = OF_FIELD.find(([, form]) => form.test(sentence)) ?? [];
  if (code === undefined) return undefined;
  const pointer = `/${field.replaceAll('.', '/')}`;
  return problem('field_invalid', { code, pointer, detail: sentence });
}

function problem(
  code: ErrorCode,
  { code: detailCode, pointer = '', ...rest }: ErrorDetail,
): object {
  const { status } = new AppError(code, rest.detail);
  return {
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail: rest.detail,
    code,
    errors: [{ code: detailCode, pointer, ...rest }],
  };
}
