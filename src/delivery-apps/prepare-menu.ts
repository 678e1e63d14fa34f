import { createLossBook, type LossBook, type LossCounts } from './losses';
import { serialiseUpTo } from './serialise-up-to';
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
}

const MEGABYTE = 1_048_576;

/**
 * A payload may be many times larger than its menu: App A has one entry for each menu and item, App C repeats a
 * menu's hours on every item and a group's options in every copy. 64 KB that become 3 GB of text would crash the
 * process.
 */
export const MAX_PAYLOAD_BYTES = 16 * MEGABYTE;

/**
 * Transforms a menu for an app. A payload over 16 MB is a blocking `limit_exceeded` of the first menu
 * (contract-more.md §18.66).
 */
export function prepareMenu(app: App, input: TransformInput): PreparedMenu {
  return prepareWire(app, input).prepared;
}

/** The same, but also returns the payload as data. */
export function prepareWire(
  app: App,
  input: TransformInput,
): { readonly prepared: PreparedMenu; readonly wire: object | null } {
  const losses = createLossBook();
  const { payload, itemIds } = app.transform(input, losses);
  const bytes = serialiseUpTo(payload, MAX_PAYLOAD_BYTES);
  const [menu] = input.menu.menus;
  if (!bytes && menu) {
    const ref = { kind: 'menu', index: 0, externalId: menu.identifier } as const;
    losses.add('limit_exceeded', ref, 'its payload may not be larger than 16 MB');
  }
  const text = bytes ?? Buffer.from('null');
  return {
    prepared: { ...prepared(text, losses, itemIds), isTooLarge: !bytes },
    wire: payload,
  };
}

/** The same, but undefined as soon as the payload is larger than `maxBytes`, which is less than 16 MB. */
export function prepareSmallMenu(
  app: App,
  input: TransformInput,
  maxBytes: number,
): PreparedMenu | undefined {
  const losses = createLossBook();
  const { payload, itemIds } = app.transform(input, losses);
  const bytes = serialiseUpTo(payload, maxBytes);
  return bytes && prepared(bytes, losses, itemIds);
}

type App = Pick<DeliveryApp, 'transform'>;

function prepared(payload: Buffer, losses: LossBook, itemIds: ItemIds): PreparedMenu {
  return {
    payload,
    isTooLarge: false,
    losses: losses.list(),
    lossCounts: losses.counts(),
    itemIds: JSON.stringify(Object.fromEntries(itemIds)),
  };
}
