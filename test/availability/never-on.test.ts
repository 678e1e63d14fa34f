import { adapterOf } from '../../src/delivery-apps/registry';
import { amountOf, type MenuDocument, type Price } from '../../src/menus/menu';
import { availabilityOf } from '../support/availability-calls';
import { until } from '../support/until';
import { randomFrom } from '../support/random';
import { randomMenu } from '../support/random-menus';
import type { Shop, SimulatedAppName, TimelineEntry } from '../support/shop';
import { startSystem, stopSystems, type System } from '../support/system';

/** The item that is off sale the whole time: every menu sells it, and has it as an option, too. */
const KEPT = 'kept';
const MENUS = 6;
const FIRST_SEED = 20_261_122;

let system: System;
beforeAll(async () => {
  system = await startSystem({
    env: { APP_D: 'rappi', MENU_ZERO_PRICES: 'accept' },
    timing: { approvalFirstMs: 100, approvalEveryMs: 200 },
  });
});
afterAll(stopSystems);

/**
 * App D's menus have no field for it: a copy that is new in a menu is on sale until the app is told again, while the
 * item itself stays off.
 */
const APPS: readonly (readonly [app: SimulatedAppName, copiesStayOff: boolean])[] = [
  ['app-a', true],
  ['app-b', true],
  ['app-c', true],
  ['app-d', false],
];

test.each(APPS)(
  'in %s no menu ever shows an item that is off sale, while other items change',
  async (app, copiesStayOff) => {
    const shop = await system.openShop(app, { callbacks: true });
    const calls = availabilityOf(system, shop);
    const menus = acceptedMenus(app, shop);
    const [first, ...later] = menus;
    if (!first) throw new Error('no menu is taken');
    expect(await upload(shop, first)).toBe(200);
    const off = await calls.switch([{ external_id: KEPT, available: false }]);
    expect(off.status).toBe(200);
    const since = (await shop.timeline()).length;

    for (const [at, menu] of later.entries()) {
      // Another item changes while the menu is on its way; whether the menu has it does not matter.
      const other = menu.items[at % menu.items.length]?.external_id ?? KEPT;
      const [status] = await Promise.all([
        upload(shop, menu),
        other === KEPT || calls.switch([{ external_id: other, available: at % 2 === 0 }]),
      ]);
      expect([at, status]).toEqual([at, 200]);
    }

    const entries = (await shop.timeline()).slice(since - 1);
    expect(entries.filter(({ cause }) => cause === 'upload').length).toBe(later.length);
    expect(entries.filter(({ off: ids }) => !ids.includes(KEPT))).toEqual([]);
    const copiesOn = copiesStayOff ? entries.flatMap(copiesOnIn(app, shop, later)) : [];
    expect(copiesOn).toEqual([]);
    const copies = wireIds(app, shop, later.at(-1));
    await until(async () => {
      const ids = new Set((await shop.store()).off.map(({ id }) => id));
      return copies.every((id) => ids.has(id));
    });
  },
);

/** For the entries of uploads, in their order: copies of the item that the menu has and that are on. */
function copiesOnIn(app: SimulatedAppName, shop: Shop, menus: readonly MenuDocument[]) {
  let uploads = 0;
  return ({ cause, off }: TimelineEntry): string[] => {
    if (cause !== 'upload') return [];
    const ids = wireIds(app, shop, menus[uploads]);
    uploads += 1;
    return ids.filter((id) => !off.includes(id));
  };
}

function wireIds(app: SimulatedAppName, shop: Shop, menu: MenuDocument | undefined) {
  if (!menu) return [];
  return adapterOf(app).transform(inputOf(shop, menu)).itemIds.get(KEPT) ?? [];
}

function inputOf({ appStoreId }: Shop, menu: MenuDocument) {
  return { menu, store: { appStoreId, currencyExponent: 2, locale: 'es_mx' } as const };
}

/** Random menus that the app takes, each with the item that is kept off sale. */
function acceptedMenus(app: SimulatedAppName, shop: Shop): readonly MenuDocument[] {
  const found: MenuDocument[] = [];
  for (let seed = FIRST_SEED; found.length < MENUS; seed += 1) {
    const menu = withKept(randomMenu(randomFrom(seed), { menus: app === 'app-a' ? 3 : 1 }));
    const { losses } = adapterOf(app).transform(inputOf(shop, menu));
    if (losses.every(({ severity }) => severity !== 'block')) found.push(menu);
  }
  return found;
}

/** No images, which would be looked for, and prices in whole units, which App D counts in. */
function withKept(menu: MenuDocument): MenuDocument {
  const plain = JSON.parse(JSON.stringify(menu), (key, value: unknown) => {
    if (key === 'image_url') return undefined;
    return key === 'price' && value ? whole(value) : value;
  }) as MenuDocument;
  const [group] = plain.modifier_groups;
  const used = plain.items.some((item) =>
    item.data_modifier_groups.some((one) => one.modifier_group_external_id === group?.external_id),
  );
  const sold = { item_external_id: KEPT };
  return {
    ...plain,
    categories: plain.categories.map((category) => ({
      ...category,
      data_items: [sold, ...category.data_items],
    })),
    items: [
      ...plain.items,
      { external_id: KEPT, name: 'Kept', price: { value: '1000' }, data_modifier_groups: [] },
    ],
    modifier_groups: plain.modifier_groups.map((one) =>
      used && one.external_id === group?.external_id
        ? { ...one, data_options: [...one.data_options, sold] }
        : one,
    ),
  };
}

function whole(price: Price): Price {
  return { value: `${Number(amountOf(price).slice(0, -2).slice(-6)) || 1}00` };
}

async function upload(shop: Shop, menu: MenuDocument): Promise<number> {
  const response = await fetch(`${system.apiUrl()}/api/v1/menus/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${system.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      store_id: shop.storeId,
      integration_id: String(shop.integrationId),
      ...menu,
    }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  return response.status;
}
