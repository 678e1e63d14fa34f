/** The published meanings of the app's numbers for refused entities; it sends only the number. */
const WORDS: ReadonlyMap<number, string> = new Map([
  [10_027, 'the price is not allowed'],
  [10_036, 'the name is too long'],
  [10_037, 'the description is too long'],
  [10_041, 'the id is too long'],
  [10_051, 'modifier groups are nested too deep'],
  [10_063, 'the numbers of the modifier group are not allowed'],
  [10_065, 'the buy mode of the modifier group is not allowed'],
  [10_302, 'there are too many categories'],
  [10_304, 'the sale times are not allowed'],
  [58_003, 'the sale times are not allowed'],
  [58_004, 'the sale times are not allowed'],
  [58_005, 'the sale times are not allowed'],
  [59_002, 'there are too many sale times'],
  [80_107, 'a word is forbidden'],
  [80_108, 'the id of the category is too long'],
  [80_109, 'a word is forbidden'],
  [80_110, 'a word is forbidden'],
  [80_111, 'the price changes too much'],
  [80_112, 'the purchase limit is not allowed'],
  [80_113, 'the status is not allowed'],
  [80_115, 'there are too many items'],
  [80_116, 'there are too many items in a category'],
  [80_128, 'the category is repeated'],
  [80_129, 'the item is repeated'],
  [80_130, 'the id of the modifier group is repeated'],
  [80_131, 'the item is repeated in the menu'],
  [80_132, 'a reference to the item is repeated'],
  [80_133, 'a reference to the modifier group is repeated'],
  [80_138, 'the name is not allowed'],
  [80_139, 'the name is not allowed'],
  [80_140, 'the name is not allowed'],
  [80_147, 'the id is too long'],
  [80_148, 'the id of the modifier group is too long'],
  [80_149, 'modifier groups refer to each other in a loop'],
  [80_150, 'the item has too many modifier groups'],
  [100_101, 'the promotion is not allowed'],
  [100_102, 'the promotion is not allowed'],
  [100_103, 'the promotion is not allowed'],
  [100_104, 'the promotion is not allowed'],
  [100_105, 'the promotion is not allowed'],
  [100_106, 'the promotion is not allowed'],
]);

/** Numbers about groups and categories, whose ids an item may have too. */
const NO_ITEMS: ReadonlySet<unknown> = new Set([
  10_063, 10_065, 10_302, 80_108, 80_116, 80_128, 80_130, 80_148,
]);

/** Whether the app's number says that the entity that it names is not an item. */
export function isAboutNoItem(errno: unknown): boolean {
  return NO_ITEMS.has(errno);
}

/** One clause for a refused entity, including the number, for which the app's support asks. */
export function errnoWords(errno: unknown): string {
  if (typeof errno !== 'number') return 'The app gave no reason.';
  const words = WORDS.get(errno);
  return words === undefined ? `errno ${errno}` : `${words} (errno ${errno})`;
}
