import type { ShownItem } from '../../src/delivery-apps/shown';
import { amountOf, type Item, type Price } from '../../src/menus/menu';
import { loss, type Work } from './difference-work';
import { hoursOf, sameHours } from './shown-hours';

export function comparePrices(work: Work, sent: Item, shown: ShownItem): void {
  const pointer = work.sent.pointerOf('items', sent.external_id);
  const own = { price: shown.price, promotion: shown.promotion_price };
  const isSold = work.sent.menus.some(({ soldItems }) => soldItems.has(sent.external_id));
  if (work.options.ownPrices || !isSold) {
    // App D has the price of the place alone, so that the item's own is not to be seen where it is only an option.
    const price = amountOf(sent.price);
    const shownOwn = work.options.placePricesOnly ? { ...own, price } : own;
    comparePrice(work, sent.price, shownOwn, pointer);
  }
  for (const { menu, prices, soldItems } of work.sent.menus) {
    if (!soldItems.has(sent.external_id)) continue;
    const named = prices.get(sent.external_id);
    const other = shown.prices_by_menu.find((one) => one.identifier === menu.identifier);
    const effective = other ? { price: other.price, promotion: other.promotion_price } : own;
    comparePrice(work, named?.price ?? sent.price, effective, named?.pointer ?? pointer);
  }
}

export function comparePrice(
  { differ }: Pick<Work, 'differ'>,
  sent: Price,
  shown: { readonly price: string; readonly promotion: string | null },
  pointer: string,
): void {
  const wanted = amountOf(sent);
  if (Number(wanted) !== Number(shown.price) || shown.price === '') {
    differ(`the price of ${pointer}: ${wanted} is shown as ${shown.price}`);
  }
  if (Number(sent.promotion_value ?? 0) === Number(shown.promotion ?? 0)) return;
  differ(
    `the promotion of ${pointer}`,
    ...(['promotion_price_ignored', 'promotion_price_invalid'] as const).map((code) =>
      loss(code, pointer),
    ),
  );
}

/** Effective hours: the item's own, else those of each menu that has it. */
export function compareHours(work: Work, sent: Item, shown: ShownItem, pointer: string): void {
  const own = hoursOf(sent.schedules ?? []);
  const isOwn = own.length > 0;
  const menus = work.sent.menus.flatMap((menu, at) =>
    menu.soldItems.has(sent.external_id) ? [{ menu, shown: work.shown.menus[at] }] : [],
  );
  const ownLosses = [loss('item_schedule_ignored', pointer), loss('days_merged', pointer)];
  const { bothEndsCount } = work.options;
  if (menus.length === 0 && !sameHours(own, shown.hours ?? [], bothEndsCount)) {
    work.differ(`the hours of ${pointer}`, ...(isOwn ? ownLosses : []));
  }
  for (const { menu, shown: shownMenu } of menus) {
    const wanted = isOwn ? own : hoursOf(menu.menu.schedules);
    if (sameHours(wanted, shown.hours ?? shownMenu?.hours ?? [], bothEndsCount)) continue;
    const menuLosses = [
      loss('days_merged', menu.pointer),
      loss('menu_schedule_ignored', menu.pointer),
    ];
    work.differ(`the hours of ${pointer}`, ...(isOwn ? ownLosses : menuLosses));
  }
}
