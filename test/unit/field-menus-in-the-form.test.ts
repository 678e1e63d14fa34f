import { adapterOf } from '../../src/delivery-apps/registry';
import { APP_NAMES } from '../../src/delivery-apps/types';
import type { MenuDocument } from '../../src/menus/menu';
import { checkMenu } from '../../src/menus/rules/check-menu';
import { AS_ORDERED } from '../../src/menus/rules/rule';
import { fieldMenu } from '../support/field-menus';

/** Real menus with free options and choices of exactly one, which need settings as they were sent. */
const MENUS = [
  '01-square-softserve-catalog',
  '02-uber-six-level-combo',
  '04-careem-payload-jordan',
  '24-swiggy-burger-menu',
] as const;

interface Sent {
  readonly value?: string;
  readonly min_quantity?: string;
  readonly max_quantity?: string;
}

/** As a person says it in the form: `free` for a price of 0, `exactly` for two equal limits. */
function inTheForm(menu: MenuDocument): MenuDocument {
  return JSON.parse(JSON.stringify(menu), (_key, part: Sent | null) => {
    if (part?.value === '0') return { free: true };
    const { min_quantity: min, max_quantity: max } = part ?? {};
    return min !== undefined && min === max ? { exactly: max } : part;
  }) as MenuDocument;
}

test.each(MENUS)('%s needs no setting in the words of the form', (name) => {
  const { menu } = fieldMenu(name);
  expect(checkMenu(menu, AS_ORDERED).ok).toBe(false);
  expect(checkMenu(inTheForm(menu), AS_ORDERED)).toMatchObject({ ok: true });
});

describe.each(APP_NAMES)('in %s', (app) => {
  test.each(MENUS)('%s is the same in the words of the form', (name) => {
    const { menu, store } = fieldMenu(name);
    const transformed = [menu, inTheForm(menu)].map((each) =>
      adapterOf(app).transform({ menu: each, store, appDPriceUnit: 'decimal' }),
    );
    const [asSent, inWords] = transformed.map(({ payload, losses }) => ({ payload, losses }));
    expect(inWords).toEqual(asSent);
    expect(inWords?.losses.filter(({ severity }) => severity === 'block')).toEqual([]);
  });
});
