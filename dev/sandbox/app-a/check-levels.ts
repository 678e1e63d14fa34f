import { refuse } from './broken-rule';
import type { SentMenu } from './read-menu';

/** Groups below an item of a category, groups of their options, and so on. */
const MOST_LEVELS = 6;

/** Refuses a menu whose groups nest too deep, in a loop too. */
export function checkLevels({ categories, items, groups }: SentMenu): void {
  const groupsOf = new Map(items.map(({ id, groupIds }) => [id, groupIds]));
  const optionsOf = new Map(groups.map(({ id, optionIds }) => [id, optionIds]));
  let level = new Set(categories.flatMap(({ itemIds }) => itemIds));
  for (let levels = 0; level.size > 0; levels += 1) {
    const below = new Set([...level].flatMap((id) => groupsOf.get(id) ?? []));
    if (below.size > 0 && levels === MOST_LEVELS) {
      refuse(`Too Many Levels: modifier groups nest deeper than ${MOST_LEVELS}`);
    }
    level = new Set([...below].flatMap((id) => optionsOf.get(id) ?? []));
  }
}
