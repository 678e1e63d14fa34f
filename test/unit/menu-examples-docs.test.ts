import { readFileSync } from 'node:fs';
import { MENU_EXAMPLES, UNTIL } from '../../dev/docs/menu-examples';
import { PLAIN_MENU } from '../../dev/docs/plain-menu';
import {
  MENU_EXAMPLES_DOCS,
  menuExamplesMarkdown,
  tellApp,
} from '../../dev/docs/write-menu-examples-docs';
import type { MenuDocument } from '../../src/menus/menu';
import { DETAIL_NAMES } from '../../src/menus/details';
import { checkMenu } from '../../src/menus/rules/check-menu';
import { APP_NAMES } from '../../src/delivery-apps/types';
import { JUDGED_APPS } from '../support/judge-random-menus';

const examples = MENU_EXAMPLES.flatMap(({ examples: of }) => [...of]);
const store = { appStoreId: '8b2e', currencyExponent: 2, locale: 'es_mx' } as const;

/** The page has a time that is over some day. */
function withinAYear(menu: MenuDocument): MenuDocument {
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  return JSON.parse(JSON.stringify(menu).replaceAll(UNTIL, soon)) as MenuDocument;
}

test('docs/what-a-menu-can-say.md matches the transforms (update it with npx tsx dev/docs/write-menu-examples-docs.ts)', () => {
  expect(readFileSync(MENU_EXAMPLES_DOCS, 'utf8')).toBe(menuExamplesMarkdown());
});

test.each(examples)(
  '$title: is a menu that the API takes, and each app that it is sent to',
  (example) => {
    const menu = example.change(PLAIN_MENU);
    const isOlder = example.title === 'The older way to say it';
    const options = {
      equalQuantities: 'refuse',
      zeroPrices: isOlder ? 'accept' : 'refuse',
    } as const;
    expect(checkMenu(withinAYear(menu), options)).toMatchObject({ ok: true });
    const refused = JUDGED_APPS.flatMap(({ name, violations }) => {
      const app = APP_NAMES.find((each) => each === name);
      const payload = app && tellApp(app, menu).payload;
      return payload ? violations(payload, { menu, store }).map((rule) => [name, rule]) : [];
    });
    expect(refused).toEqual([]);
  },
);

test('the page has every detail of an item, and every field of a price, a quantity and an item that it is about', () => {
  const page = menuExamplesMarkdown();
  const members = [
    'free',
    'exactly',
    'free_quantity',
    'available',
    'unavailable_until',
    ...DETAIL_NAMES,
  ];
  expect(members.filter((name) => !page.includes(`"${name}": `))).toEqual([]);
});

test('the older way to say that something is free is the same to each app', () => {
  const [free, older] = [
    'A dish at 0 that costs what is chosen with it',
    'The older way to say it',
  ].map((title) => examples.find((example) => example.title === title)?.change(PLAIN_MENU));
  if (!free || !older) throw new Error('An example is missing.');
  for (const app of APP_NAMES) expect(tellApp(app, older)).toEqual(tellApp(app, free));
});
