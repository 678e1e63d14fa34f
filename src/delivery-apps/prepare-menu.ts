import {
  type ItemOffSale,
  type ItemSeason,
  type MenuDocument,
  offSaleIn,
  seasonsIn,
} from '../menus/menu';
import { BOUNDS } from '../platform/admission/bounds';
import { createLossBook, type LossBook, type LossCounts } from './losses';
import { bytesOf, type SerialisedPayload, serialiseUpTo } from './serialise-up-to';
import { reportUnknownFields } from './unknown-fields';
import type { DeliveryApp, ItemIds, Loss, TransformInput } from './types';

/** What is stored with an upload before anything is sent. */
export interface PreparedMenu {
  /** The app's menu as JSON in UTF-8, without token: the bytes to push. `null` if it must not be pushed. */
  readonly payload: Buffer;
  /** The payload would be over 16 MB. */
  readonly isTooLarge: boolean;
  readonly losses: readonly Loss[];
  readonly lossCounts: LossCounts;
  /** The ids of each item in the payload, by POS id: a JSON object. */
  readonly itemIds: string;
  /** What the menu itself has off sale. */
  readonly offSale: readonly ItemOffSale[];
  /** The items that have a season. */
  readonly seasons: readonly ItemSeason[];
}

/**
 * A payload may be many times larger than its menu: App A has one entry for each menu and item, App C repeats a
 * menu's hours on every item and a group's options in every copy. 64 KB that become 3 GB of text would crash the
 * process.
 */
export const MAX_PAYLOAD_BYTES = BOUNDS.payload_bytes.limit;

/** A payload as data, with what else a preview needs. */
export interface PreparedWire extends Pick<PreparedMenu, 'losses' | 'lossCounts'> {
  readonly wire: object | null;
  readonly itemIds: ItemIds;
  /** The payload's length in bytes. */
  readonly payloadSize: number;
  /** The payload's bytes, written each time. */
  readonly payload: () => Buffer;
}

const NO_PAYLOAD: SerialisedPayload = { texts: ['null'], size: 4 };

/**
 * Transforms a menu for an app. A payload over 16 MB (docs/architecture.md, "Limits") is a blocking `limit_exceeded` of
 * the first menu.
 */
export function prepareMenu(app: App, input: TransformInput): PreparedMenu {
  const { transformed, serialised, losses } = transformUpToLimit(app, input);
  return {
    ...prepared(serialised ?? NO_PAYLOAD, losses, transformed.itemIds, input.menu),
    isTooLarge: !serialised,
  };
}

/** The same as data; the payload's bytes are joined only when they are wanted. */
export function prepareWire(app: App, input: TransformInput): PreparedWire {
  const { transformed, serialised = NO_PAYLOAD, losses } = transformUpToLimit(app, input);
  return {
    wire: transformed.payload,
    itemIds: transformed.itemIds,
    payloadSize: serialised.size,
    payload: () => bytesOf(serialised),
    losses: losses.list(),
    lossCounts: losses.counts(),
  };
}

function transformUpToLimit(app: App, input: TransformInput) {
  const losses = createLossBook();
  const transformed = app.transform(input, losses);
  reportSeasons(input.menu, transformed.itemIds, losses);
  reportUnknownFields(input.menu, input.besides ?? [], losses);
  const serialised = serialiseUpTo(transformed.payload, MAX_PAYLOAD_BYTES);
  const [menu] = input.menu.menus;
  if (!serialised && menu) {
    const ref = { kind: 'menu', index: 0, externalId: menu.identifier } as const;
    losses.add('limit_exceeded', ref, 'its payload may not be larger than 16 MB');
  }
  return { transformed, serialised, losses };
}

/** Prepares a menu like `prepareMenu`, but returns undefined as soon as the payload is larger than `maxBytes`, which is less than 16 MB. */
export function prepareSmallMenu(
  app: App,
  input: TransformInput,
  maxBytes: number,
): PreparedMenu | undefined {
  const losses = createLossBook();
  const { payload, itemIds } = app.transform(input, losses);
  reportSeasons(input.menu, itemIds, losses);
  reportUnknownFields(input.menu, input.besides ?? [], losses);
  const serialised = serialiseUpTo(payload, maxBytes);
  return serialised && prepared(serialised, losses, itemIds, input.menu);
}

/** Reports the items that the app gets and shows as sold out when they are out of season: none can hide them. */
function reportSeasons({ items }: MenuDocument, itemIds: ItemIds, losses: LossBook): void {
  for (const [index, item] of items.entries()) {
    const { external_id: externalId, visible_from: from, visible_until: until } = item;
    if ((from || until) && itemIds.has(externalId)) {
      losses.add('season_by_timer', { kind: 'item', index, externalId });
    }
  }
}

type App = Pick<DeliveryApp, 'transform'>;

function prepared(
  payload: SerialisedPayload,
  losses: LossBook,
  itemIds: ItemIds,
  menu: MenuDocument,
): PreparedMenu {
  return {
    payload: bytesOf(payload),
    isTooLarge: false,
    losses: losses.list(),
    lossCounts: losses.counts(),
    itemIds: JSON.stringify(Object.fromEntries(itemIds)),
    offSale: offSaleIn(menu),
    seasons: seasonsIn(menu),
  };
}
