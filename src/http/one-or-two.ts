/** A webhook's or a movement's type, which requests give as a number or as its digit; their shape is known to be right. */
export function oneOrTwo(value: string | number): 1 | 2 {
  return Number(value) === 1 ? 1 : 2;
}
