import type { SpecialDay } from '../../src/delivery-apps/app-client';
import { adapterOf } from '../../src/delivery-apps/registry';
import { credentialOf, type JudgedShop, shopPage, told, tokenOf } from './judged-shop';

/** Each list replaces the one before: a day that is changed, one that goes and one that comes. */
const SPECIAL_DAYS: readonly (readonly SpecialDay[])[] = [
  [
    {
      date: '2030-12-24',
      periods: [
        { start: '10:00', end: '15:00' },
        { start: '18:00', end: '23:59' },
      ],
      name: 'Christmas Eve',
    },
    { date: '2030-12-25', periods: [], name: null },
  ],
  [
    { date: '2030-12-24', periods: [{ start: '09:30', end: '14:00' }], name: 'Christmas Eve' },
    { date: '2031-01-06', periods: [], name: 'Epiphany' },
  ],
];

/** Undefined = guests see the days of each list. */
export async function setSpecialDays(shop: JudgedShop): Promise<string | undefined> {
  const { app, client, appStoreId } = shop;
  const credential = credentialOf(shop);
  const { ownTokens, availability } = adapterOf(app.name);
  const { daysHaveNoYear } = availability;
  const lists = app.keepsLastSpecialDay ? SPECIAL_DAYS : [...SPECIAL_DAYS, []];
  for (const days of lists) {
    const token = await tokenOf(shop, ownTokens?.specialDays);
    const request = { token, appStoreId, store: credential.store, days };
    const outcome = (await client.setSpecialDays?.(request)) ?? { kind: 'absent' };
    if (outcome.kind !== 'done') return `special days ${told(outcome)}`;
    const shown = (await shopPage(shop)).special_days.map(hoursOf).toSorted().join(' ');
    const wanted = days
      .map(({ date, ...day }) => hoursOf({ date: daysHaveNoYear ? date.slice(5) : date, ...day }))
      .toSorted()
      .join(' ');
    if (shown !== wanted) return `sets other special days: ${shown || 'none'}`;
  }
  return undefined;
}

function hoursOf({ date, periods }: Pick<SpecialDay, 'date' | 'periods'>): string {
  const hours = periods.map(({ start, end }) => `${start}-${end}`).join();
  return `${date} ${hours || 'closed'}`;
}
