import { transformForAppD } from '../../src/delivery-apps/app-d/transform';
import type { WirePayload, WireProduct, WireTopping } from '../../src/delivery-apps/app-d/wire';
import type { Loss, StoreFacts, TransformInput } from '../../src/delivery-apps/types';
import type { MenuDocument } from '../../src/menus/menu';
import { category, item, menu } from './app-c-menus';

const STORE: StoreFacts = { appStoreId: '999', currencyExponent: 2, locale: 'es_mx' };

type Differences = Partial<MenuDocument> & Partial<Omit<TransformInput, 'menu'>>;

interface Transformed {
  readonly payload: WirePayload | null;
  readonly losses: readonly Loss[];
  /** The entries of an SKU, in order. */
  readonly products: (sku: string) => readonly WireProduct[];
  /** The toppings of the first entry of an SKU. */
  readonly toppings: (sku: string) => readonly WireTopping[];
  /** The losses of a code, as pointers. */
  readonly at: (code: Loss['code']) => readonly string[];
}

/** Transforms one menu M1 with one category C1 with one item I1, and whatever differs from that. */
export function transformD({
  store = STORE,
  badImages,
  appDPriceUnit,
  ...lists
}: Differences = {}): Transformed {
  const result = transformForAppD({
    menu: {
      menus: [menu('M1', ['C1'])],
      categories: [category('C1', ['I1'])],
      items: [item('I1')],
      modifier_groups: [],
      ...lists,
    },
    store,
    ...(badImages && { badImages }),
    ...(appDPriceUnit && { appDPriceUnit }),
  });
  const payload = result.payload as WirePayload | null;
  const products = (sku: string) => payload?.items.filter((each) => each.sku === sku) ?? [];
  return {
    payload,
    losses: result.losses,
    products,
    toppings: (sku) => products(sku)[0]?.children ?? [],
    at: (code) => result.losses.filter((loss) => loss.code === code).map(({ pointer }) => pointer),
  };
}
