import { AppError } from '../platform/errors';
import type { Validation } from '../platform/validation/validation';

/** The value if it passed; otherwise throws a 422 with all its messages. */
export function accepted<Value>(validation: Validation<Value>): Value {
  if (validation.ok) return validation.value;
  throw new AppError('field_invalid', [], {
    fields: validation.fields,
    details: validation.errors,
  });
}
