import { refuse } from './broken-rule';
import { readCount, readFields, readOptionalFields, type Fields } from './read-fields';
import { readOverrides, type SentOverride } from './read-overrides';

export interface SentQuantityInfo {
  readonly overrides: readonly SentOverride[];
  /** Whether units above some number cost their price, anywhere. */
  readonly chargesAbove: boolean;
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
    return { quantity: fields['quantity'] };
  });
  const quantities = [info['quantity'], ...overrides.map(({ quantity }) => quantity)];
  return { overrides, chargesAbove: quantities.some(hasCharge) };
}

function checkQuantity(value: unknown, owner: string, isGroup: boolean): void {
  const quantity = readFields(value, `${owner} quantity`);
  checkRange(quantity, 'min_permitted', 'max_permitted', owner);
  checkRange(quantity, 'min_permitted_unique', 'max_permitted_unique', owner);
  checkCharges(quantity, owner);
  const isUnique = Object.keys(quantity).some((field) => field.endsWith('_unique'));
  if (isUnique && !isGroup) refuse(`Invalid Quantity: ${owner} is no modifier group`);
}

function hasCharge(quantity: unknown): boolean {
  return readOptionalFields(quantity, 'quantity')['charge_above'] !== undefined;
}

/** What is free must be what a guest may take, and nothing is paid back that was not there at first. */
function checkCharges(quantity: Fields, owner: string): void {
  const count = (field: string) => readOptionalCount(quantity, field, owner);
  const usual = count('default_quantity') ?? 0;
  const [above, under] = [count('charge_above'), count('refund_under')];
  if ((above === undefined) !== (under === undefined)) {
    refuse(`Invalid Quantity: ${owner} must have both charge_above and refund_under or none`);
  }
  if (above === undefined || under === undefined) return;
  if (above > (count('max_permitted') ?? Number.POSITIVE_INFINITY)) {
    refuse(`Invalid Quantity: ${owner} charge_above ${above} is above max_permitted`);
  }
  if (above < usual || above < under) {
    refuse(`Invalid Quantity: ${owner} charge_above ${above} is below another number`);
  }
  if (under > usual) {
    refuse(`Invalid Quantity: ${owner} refund_under ${under} is above default_quantity`);
  }
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
