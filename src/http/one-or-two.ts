/** The type of a webhook or of a movement, sent as a number or as its digit; its shape has already been checked. */
export function oneOrTwo(value: string | number): 1 | 2 {
  return Number(value) === 1 ? 1 : 2;
}
