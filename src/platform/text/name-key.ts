/** Names are compared trimmed, composed and case-folded, within one user’s account. */
export function toNameKey(name: string): string {
  return name.trim().normalize('NFKC').toLowerCase();
}
