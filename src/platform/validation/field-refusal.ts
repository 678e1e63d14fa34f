import { AppError, type ErrorDetail } from '../errors';
import { fieldKey } from './field-sentence';
import { moreErrors, SHOWN_PROBLEMS } from './shown-problems';

/**
 * The 422 of these problems, one for each field: the first 50, and for problem+json one more entry that counts the
 * others. A plain answer has no field for that one.
 */
export function fieldRefusal(problems: readonly LocatedDetail[]): AppError {
  const shown = problems.slice(0, SHOWN_PROBLEMS);
  const more = problems.length - shown.length;
  const counted = { code: 'more_errors', pointer: '', detail: moreErrors(more) };
  return new AppError('field_invalid', [], {
    fields: Object.fromEntries(shown.map(({ pointer, detail }) => [fieldKey(pointer), [detail]])),
    details: more > 0 ? [...shown, counted] : shown,
  });
}

/** A problem with its JSON Pointer. */
export type LocatedDetail = ErrorDetail & { readonly pointer: string };
