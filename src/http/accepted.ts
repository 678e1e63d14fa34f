import { fieldRefusal } from '../platform/validation/field-refusal';
import type { Validation } from '../platform/validation/validation';

/** The value if it passed; otherwise throws the 422 with its messages. */
export function accepted<Value>(validation: Validation<Value>): Value {
  if (validation.ok) return validation.value;
  throw fieldRefusal(validation.errors);
}
