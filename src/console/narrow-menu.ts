import type { Shown } from '../delivery-apps/shown';
import type { Loss } from '../delivery-apps/types';

/** A menu in one app, as far as it is about what somebody looks for. */
export interface NarrowedMenu {
  readonly shown: Shown;
  readonly losses: readonly Loss[];
  /** What is called so, by the app's ids. */
  readonly itemIds: readonly string[];
}

/** Whether something has this id, or a name or id with all words that were typed, whatever their case and accents. */
export function matcherOf(typed: string): (id: string, name: string) => boolean {
  const words = fold(typed).split(/\s+/u).filter(Boolean);
  return (id, name) => {
    if (id === typed) return true;
    const text = fold(`${name} ${id}`);
    return words.length > 0 && words.every((word) => text.includes(word));
  };
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase();
}

/**
 * Leaves of a menu the items that are called so, the choices that they are in, and the losses that are about them: the
 * app may show nothing of an item but its loss.
 */
export function narrowMenu(
  { shown, losses }: { readonly shown: Shown; readonly losses: readonly Loss[] },
  typed: string,
): NarrowedMenu {
  const isCalledSo = matcherOf(typed);
  const found = shown.items.filter((item) => isCalledSo(item.external_id, item.name));
  const ids = new Set(found.map(({ external_id: id }) => id));
  return {
    itemIds: [...ids],
    losses: losses.filter(({ external_id: id, pointer }) => {
      if (!pointer.startsWith('/items/') || id === null) return false;
      return ids.has(id) || isCalledSo(id, '');
    }),
    shown: {
      // All of them, as the choices of what is left name others.
      items: shown.items,
      menus: shown.menus.flatMap((menu) => {
        const categories = menu.categories.flatMap((category) => {
          const items = category.items.filter((id) => ids.has(id));
          return items.length === 0 ? [] : [{ ...category, items }];
        });
        return categories.length === 0 ? [] : [{ ...menu, categories }];
      }),
      modifier_groups: shown.modifier_groups.flatMap((group) => {
        const options = group.options.filter(({ external_id: id }) => ids.has(id));
        return options.length === 0 ? [] : [{ ...group, options }];
      }),
    },
  };
}
