/** The form in which names are compared within one user’s account: trimmed, composed and case-folded. */
export function toNameKey(name: string): string {
  return name.trim().normalize('NFKC').toLowerCase();
}
