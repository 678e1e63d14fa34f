import { createLossBook, type LossBook, type LossCounts } from './losses';
import { serialiseUpTo } from './serialise-up-to';
import type { DeliveryApp, Loss, TransformInput } from './types';

/** What an upload is kept with before anything is sent. */
export interface PreparedMenu {
  /** The app's menu as JSON in UTF-8, without token: the bytes that will be pushed. `null` when it may not be. */
  readonly payload: Buffer;
  /** The payload would be over 16 MB. */
  readonly isTooLarge: boolean;
  readonly losses: readonly Loss[];
  readonly lossCounts: LossCounts;
}

const MEGABYTE = 1_048_576;

/**
 * A payload may be many times its menu: App A has one entry for each menu and item, App C repeats a menu's hours on
 * every item and a group's options in every copy. 64 KB that become 3 GB of text would end the process.
 */
export const MAX_PAYLOAD_BYTES = 16 * MEGABYTE;

/** Writes a menu for an app. A payload over 16 MB is a blocking `limit_exceeded` of the first menu (contract-more.md §18.66). */
export function prepareMenu(app: App, input: TransformInput): PreparedMenu {
  const losses = createLossBook();
  const { payload } = app.transform(input, losses);
  const bytes = serialiseUpTo(payload, MAX_PAYLOAD_BYTES);
  const [menu] = input.menu.menus;
  if (!bytes && menu) {
    const ref = { kind: 'menu', index: 0, externalId: menu.identifier } as const;
    losses.add('limit_exceeded', ref, 'its payload may not be larger than 16 MB');
  }
  return { ...prepared(bytes ?? Buffer.from('null'), losses), isTooLarge: !bytes };
}

/** The same, but undefined as soon as the payload is larger than `maxBytes`, which are fewer than 16 MB. */
export function prepareSmallMenu(
  app: App,
  input: TransformInput,
  maxBytes: number,
): PreparedMenu | undefined {
  const losses = createLossBook();
  const { payload } = app.transform(input, losses);
  const bytes = serialiseUpTo(payload, maxBytes);
  return bytes && prepared(bytes, losses);
}

type App = Pick<DeliveryApp, 'transform'>;

function prepared(payload: Buffer, losses: LossBook): PreparedMenu {
  return { payload, isTooLarge: false, losses: losses.list(), lossCounts: losses.counts() };
}
