import { refuse } from './broken-rule';
import { readCount, readFields, readOptionalFields, type Fields } from './read-fields';
import { readOverrides, type SentOverride } from './read-overrides';

export interface SentQuantityInfo {
  readonly overrides: readonly SentOverride[];
}

interface Owner {
  /** Only groups may limit the number of different options. */
  readonly isGroup: boolean;
}

/** Checks a `quantity_info` with all its overrides; `owner` is how the refusal names the item or group. */
export function readQuantityInfo(
  value: unknown,
  owner: string,
  { isGroup }: Owner = { isGroup: false },
): SentQuantityInfo {
  const info = readOptionalFields(value, `${owner} quantity_info`);
  // Required where there is an info, although all its members may be missing.
  if (value !== undefined && value !== null) checkQuantity(info['quantity'], owner, isGroup);
  const overrides = readOverrides(info['overrides'], `${owner} quantity_info`, (fields) => {
    checkQuantity(fields['quantity'], owner, isGroup);
    return {};
  });
  return { overrides };
}

function checkQuantity(value: unknown, owner: string, isGroup: boolean): void {
  const quantity = readFields(value, `${owner} quantity`);
  checkRange(quantity, 'min_permitted', 'max_permitted', owner);
  checkRange(quantity, 'min_permitted_unique', 'max_permitted_unique', owner);
  for (const field of ['default_quantity', 'charge_above', 'refund_under']) {
    readOptionalCount(quantity, field, owner);
  }
  if ((quantity['charge_above'] === undefined) !== (quantity['refund_under'] === undefined)) {
    refuse(`Invalid Quantity: ${owner} must have both charge_above and refund_under or none`);
  }
  const isUnique = Object.keys(quantity).some((field) => field.endsWith('_unique'));
  if (isUnique && !isGroup) refuse(`Invalid Quantity: ${owner} is no modifier group`);
}

function checkRange(quantity: Fields, minField: string, maxField: string, owner: string): void {
  const min = readOptionalCount(quantity, minField, owner) ?? 0;
  const max = readOptionalCount(quantity, maxField, owner) ?? Number.POSITIVE_INFINITY;
  if (min > max)
    refuse(`Invalid Quantity: ${owner} ${minField} ${min} is above ${maxField} ${max}`);
}

function readOptionalCount(quantity: Fields, field: string, owner: string): number | undefined {
  const value = quantity[field];
  return value === undefined ? undefined : readCount(value, `Invalid Quantity: ${owner} ${field}`);
}
