/** `at`: where it is wrong, when that is within the field. */
export type Wrong = readonly [field: string, value: unknown, sentence: string, at?: string];

export const LONG_ID = 'x'.repeat(256);
export const absent = undefined;

/** Absent, null and empty are the same; a wrong type and a length too much have their own sentences. */
export function text(field: string, maximum?: number): Wrong[] {
  const words = field.replaceAll('_', ' ');
  const rows: Wrong[] = [absent, null, ''].map((value) => [
    field,
    value,
    `The ${words} field is required.`,
  ]);
  for (const value of [7, true, [], {}])
    rows.push([field, value, `The ${words} must be a string.`]);
  if (maximum === undefined) return rows;
  const sentence = `The ${words} may not be greater than ${maximum} characters.`;
  // By code points: a pizza is one character.
  return [...rows, [field, '🍕'.repeat(maximum + 1), sentence]];
}

/** The field that is wrong within the targets that are sent. */
export function target(targets: unknown, at: string, sentence: string): Wrong[] {
  return [['targets', targets, sentence, at]];
}

export function number(field: string, tooMuch: number): Wrong[] {
  const words = field.replaceAll('_', ' ');
  return [
    [field, 'one', `The ${words} must be a number.`],
    [field, 1.5, `The ${words} must be a number.`],
    [field, -1, `The selected ${words} is invalid.`],
    [field, tooMuch, `The selected ${words} is invalid.`],
  ];
}

export function list(field: string, maximum?: number, mayBeEmpty = false): Wrong[] {
  const words = field.replaceAll('_', ' ');
  const missing = mayBeEmpty ? [absent, null] : [absent, null, []];
  const rows: Wrong[] = missing.map((value) => [field, value, `The ${words} field is required.`]);
  for (const value of ['a', 1, {}]) rows.push([field, value, `The ${words} must be an array.`]);
  if (maximum === undefined) return rows;
  const tooMany = Array.from({ length: maximum + 1 }, () => 0);
  return [...rows, [field, tooMany, `The ${words} may not have more than ${maximum} items.`]];
}

export function choice(field: string, ...wrong: readonly unknown[]): Wrong[] {
  const words = field.replaceAll('_', ' ');
  return [
    ...[absent, null].map((value): Wrong => [field, value, `The ${words} field is required.`]),
    ...wrong.map((value): Wrong => [field, value, `The selected ${words} is invalid.`]),
  ];
}
