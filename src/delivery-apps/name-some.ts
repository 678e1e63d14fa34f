const MAX_NAMED = 7;

/** The first of some names, and how many more there are: a menu may have thousands, too many for a sentence. */
export function nameSome(names: readonly string[]): string {
  const named = names.slice(0, MAX_NAMED).join(', ');
  const more = names.length - MAX_NAMED;
  return more > 0 ? `${named} and ${more} more` : named;
}
