import { h, type ComponentProps } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { hoursWords } from '../../src/console/hours-words';
import { narrowMenu } from '../../src/console/narrow-menu';
import { ShownMenu } from '../../src/console/shown-menu';
import type { Shown, ShownHours } from '../../src/delivery-apps/shown';
import type { Loss } from '../../src/delivery-apps/types';
import { DAYS_OF_WEEK, type DayOfWeek } from '../../src/menus/menu';

const PIZZA = {
  external_id: 'I1',
  name: 'Margherita',
  description: 'Tomato and basil',
  image_url: 'https://pictures.example/1.png',
  price: '12000',
  promotion_price: '9900',
  prices_by_menu: [{ identifier: 'M2', price: '15000', promotion_price: null }],
  hours: [{ day: 'saturday', periods: [{ start: '10:00', end: '14:00' }] }],
  available: true,
  modifier_groups: [{ external_id: 'G1', min: 1, max: 2 }],
} as const;

function menuOf(identifier: string): Shown['menus'][number] {
  const categories = [
    { external_id: 'C1', name: 'Pizzas', description: 'From the oven', items: ['I1'] },
  ];
  return { identifier, name: `Menu ${identifier}`, description: null, hours: [], categories };
}

function option(id: string): Shown['modifier_groups'][number]['options'][number] {
  return { external_id: id, price: '500', promotion_price: null, min: null, max: null };
}

const PIZZERIA: Shown = {
  menus: [menuOf('M1'), menuOf('M2')],
  items: [PIZZA],
  modifier_groups: [
    {
      external_id: 'G1',
      name: 'Toppings',
      min: 1,
      max: 2,
      options: Array.from({ length: 9 }, (_, n) => option(`T${n}`)),
    },
  ],
};

function render(
  losses: readonly Loss[],
  more: Partial<ComponentProps<typeof ShownMenu>> = {},
): string {
  const given = { shown: PIZZERIA, losses, mostItems: 500, pictureLink, ...more };
  return renderToString(h(ShownMenu, given)).replaceAll('&quot;', '"');
}

const cutOf = (id: string): Loss => ({
  code: 'text_cut',
  severity: 'warn',
  pointer: '/items/1',
  external_id: id,
  message: `Cut ${id}.`,
});

const pictureLink = (url: string) => `/pictures?${url}`;

function hours(days: readonly DayOfWeek[], start: string): ShownHours[] {
  return days.map((day) => ({ day, periods: [{ start, end: '22:00' }] }));
}

test('a card has the picture, the promotion beside the old price, the hours and the first choices', () => {
  const page = render([]);
  expect(page).toContain('<img src="/pictures?https://pictures.example/1.png"');
  expect(page).toContain('alt="Picture of Margherita"');
  expect(page).toContain('loading="lazy"');
  expect(page).toContain(
    '<span class="unseen">now </span><ins>99.00</ins> <del><span class="unseen">instead of </span>120.00</del>',
  );
  expect(page).toContain('Sat 10:00–14:00');
  expect(page).toContain('choose 1 to 2');
  expect(page).toContain('T5 5.00');
  expect(page.slice(0, page.indexOf('Modifier groups'))).not.toContain('T6 5.00');
  expect(page.slice(page.indexOf('Modifier groups'))).toContain('T8 5.00');
});

test('a menu that is narrowed to an item that is only a choice shows the choice, and what of it is lost', () => {
  const topping = { ...PIZZA, external_id: 'T3', name: 'Extra cheese', modifier_groups: [] };
  const shown = { ...PIZZERIA, items: [...PIZZERIA.items, topping] };
  const losses = [cutOf('T3'), cutOf('I1'), { ...cutOf('T3'), pointer: '/categories/0' }];
  const narrowed = narrowMenu({ shown, losses }, 'extra CHEESE');
  expect(narrowed).toMatchObject({ itemIds: ['T3'], losses: [cutOf('T3')] });
  const page = render(narrowed.losses, { shown: narrowed.shown, isPart: true });
  expect(page).toMatch(/As a choice.*Toppings.*Extra cheese 5\.00.*Cut T3\./);
  for (const other of ['Menu M1', 'Margherita', 'T4 5.00', 'Cut I1', 'Other losses']) {
    expect(page).not.toContain(other);
  }
});

test('an item has the price of the menu in which it stands', () => {
  const page = render([]);
  expect(page.split('<ins>99.00</ins>')).toHaveLength(2);
  expect(page.slice(page.indexOf('Menu M2'))).toContain('<p class="price">150.00</p>');
});

test('an item that is off sale by now says why, and what the app has not done yet', () => {
  const since = new Date('2026-01-02T03:04:05Z');
  const until = new Date('2026-01-03T03:04:05Z');
  const offSale = new Map([['I1', { source: 'stock', state: 'failed', since, until }]]);
  const page = render([], { offSale });
  expect(page).toContain(
    'off sale now</span> since <time datetime="2026-01-02T03:04:05.000Z">2026-01-02 03:04:05</time>, until <time datetime="2026-01-03T',
  );
  expect(page).toContain('The stock system says that there is none left. Correct the stock.');
  expect(page).toContain('The delivery app still sells it as before.');
});

test('losses that stand beside nothing are grouped by code, with the first twenty open', () => {
  const losses = Array.from({ length: 23 }, (_, n): Loss => {
    const place = { pointer: `/items/${n}`, external_id: `X${n}` };
    return { code: 'text_cut', severity: 'warn', message: `Cut ${n}.`, ...place };
  });
  const page = render(losses);
  const apart = page.slice(page.indexOf('Other losses'));
  expect(apart).toContain('Text cut <span class="state warn">warn</span> <span class="count">23<');
  expect(apart.slice(0, apart.indexOf('<details>'))).toContain('Cut 19.');
  expect(apart.slice(0, apart.indexOf('<details>'))).not.toContain('Cut 20.');
  expect(apart).toContain('<summary>The other 3</summary>');
  expect(apart).toContain('Cut 22.');
});

test('hours are said as on a door', () => {
  expect(hoursWords(hours(DAYS_OF_WEEK, '09:00'))).toEqual(['Every day 09:00–22:00']);
  expect(
    hoursWords([
      ...hours(['monday', 'tuesday'], '09:00'),
      ...hours(['thursday'], '09:00'),
      ...hours(['friday'], '12:00'),
    ]),
  ).toEqual(['Mon–Tue 09:00–22:00', 'Thu 09:00–22:00', 'Fri 12:00–22:00']);
  expect(hoursWords([])).toEqual([]);
});
