import { refuse } from './broken-rule';
import type { SentMenu } from './read-menu';
import type { SentOverride } from './read-overrides';

type Ids = Readonly<Record<SentOverride['contextType'] | 'CATEGORY', ReadonlySet<string>>>;

/** Refuses repeated ids, and references to missing entities. */
export function checkReferences(sent: SentMenu): void {
  const ids: Ids = {
    MENU: uniqueIds('menu', sent.menus),
    CATEGORY: uniqueIds('category', sent.categories),
    ITEM: uniqueIds('item', sent.items),
    MODIFIER_GROUP: uniqueIds('modifier group', sent.groups),
  };
  for (const { id, categoryIds } of sent.menus) {
    checkAll(`menu ${id} category`, categoryIds, ids.CATEGORY);
  }
  for (const { id, itemIds } of sent.categories) {
    checkAll(`category ${id} item`, itemIds, ids.ITEM);
  }
  for (const item of sent.items) {
    const { id, bundledIds, groupIds, groupOverrides, priceOverrides, quantityInfo } = item;
    for (const bundled of bundledIds) checkAll(`item ${id} bundled item`, [bundled], ids.ITEM);
    for (const { groupIds: wanted } of [{ groupIds }, ...groupOverrides]) {
      checkAll(`item ${id} modifier group`, wanted, ids.MODIFIER_GROUP);
    }
    checkContexts(`item ${id}`, groupOverrides, ids);
    checkContexts(`item ${id}`, priceOverrides, ids);
    checkContexts(`item ${id}`, quantityInfo.overrides, ids);
  }
  for (const { id, optionIds, quantityInfo } of sent.groups) {
    checkAll(`modifier group ${id} item`, optionIds, ids.ITEM);
    checkContexts(`modifier group ${id}`, quantityInfo.overrides, ids);
  }
}

function uniqueIds(
  what: string,
  entities: readonly { readonly id: string }[],
): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { id } of entities) {
    if (ids.has(id)) refuse(`Repeated Id: ${what} ${id}`);
    ids.add(id);
  }
  return ids;
}

function checkAll(what: string, references: readonly string[], known: ReadonlySet<string>): void {
  const seen = new Set<string>();
  for (const id of references) {
    if (!known.has(id)) refuse(`Unknown Reference: ${what} ${id}`);
    if (seen.has(id)) refuse(`Repeated Reference: ${what} ${id}`);
    seen.add(id);
  }
}

function checkContexts(what: string, overrides: readonly SentOverride[], ids: Ids): void {
  for (const { contextType, contextValue } of overrides) {
    if (!ids[contextType].has(contextValue)) {
      refuse(`Unknown Reference: ${what} override ${contextType} ${contextValue}`);
    }
  }
}
