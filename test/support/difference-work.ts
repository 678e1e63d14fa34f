import type { Shown, ShownGroup, ShownItem } from '../../src/delivery-apps/shown';
import type { EntityLossCode } from '../../src/delivery-apps/types';
import type { DetailName } from '../../src/menus/details';
import type { Item } from '../../src/menus/menu';
import type { SentMenu } from './sent-menu';

export interface DifferenceOptions {
  /** App C has hours on items only. */
  readonly hoursOnItems?: boolean;
  /** App A counts both ends of a period. */
  readonly bothEndsCount?: boolean;
  /** App B has the limits of groups on items only. */
  readonly limitsOnItems?: boolean;
  /** App D writes the most of a group where an option has no limits. */
  readonly alwaysLimited?: boolean;
  /** App D has no price of an item beside those of the places where it stands. */
  readonly placePricesOnly?: boolean;
  /** Free units of a group: App B has them, App A of one price; else the group is shown as two. */
  readonly freeUnits?: 'any' | 'one price';
  /** Details that are sent to the app, and that its menu does not say again. */
  readonly unreadDetails?: (name: DetailName, isSold: boolean) => boolean;
  /** App D knows what is off sale only after its menu. */
  readonly availableLate?: boolean;
  /** Only App A shows the own price of an item beside those of its menus. */
  readonly ownPrices?: boolean;
}

/** One comparison while it is made. */
export interface Work {
  readonly sent: SentMenu;
  readonly shown: Shown;
  readonly options: DifferenceOptions;
  readonly items: ReadonlyMap<string, ShownItem>;
  readonly groups: ReadonlyMap<string, ShownGroup>;
  /** Ids of copies that something referred to. */
  readonly met: Set<string>;
  /** Items that are shown without the groups that they were sent with. */
  readonly withoutGroups: Set<Item>;
  /** Pointers of groups that have a copy. */
  readonly copied: Set<string>;
  /** Pointers of groups that are shown by parts. */
  readonly parted: Set<string>;
  readonly differ: (what: string, ...losses: readonly string[]) => void;
}

/** As differences name it. */
export function loss(code: EntityLossCode, pointer: string): string {
  return `${code} ${pointer}`;
}
