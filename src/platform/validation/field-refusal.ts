import { AppError, type ErrorDetail } from '../errors';
import { fieldKey } from './field-sentence';
import { createProblemChooser, SHOWN_PROBLEMS } from './shown-problems';

/**
 * The 422 of these problems, one for each field: the first 50, and for problem+json those that `ProblemChooser` chooses,
 * with the number of the others. Each may have the refused `value` (never a secret) and a `hint` from `HINTS`.
 */
export function fieldRefusal(problems: readonly LocatedDetail[]): AppError {
  const chooser = createProblemChooser<LocatedDetail>();
  for (const problem of problems) {
    chooser.add(
      problem.detail,
      '',
      () => problem.detail,
      () => problem,
    );
  }
  const { shown, omitted } = chooser.result();
  const fields = problems.slice(0, SHOWN_PROBLEMS);
  return new AppError('field_invalid', [], {
    fields: Object.fromEntries(fields.map(({ pointer, detail }) => [fieldKey(pointer), [detail]])),
    details: shown,
    omitted,
  });
}

/** A problem with its JSON Pointer. */
export type LocatedDetail = ErrorDetail & { readonly pointer: string };
