/** A price as people read it; its digits have two implied decimals, and 0 is `free`. */
export function amount(price: string): string {
  if (/^0+$/.test(price)) return 'free';
  const digits = price.padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
