import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { ShownMenu } from '../../src/console/shown-menu';
import { adapterOf } from '../../src/delivery-apps/registry';
import type { Shown } from '../../src/delivery-apps/shown';
import { APP_NAMES, type Loss } from '../../src/delivery-apps/types';
import {
  GOLDEN_STORE,
  type GoldenMenu,
  readGoldenMenu,
  readGoldenMenus,
  transformGolden,
} from '../delivery-apps/golden-menus';

const OTHERS = 'Other losses';

interface Given {
  readonly shown: Shown;
  readonly losses: readonly Loss[];
}

function given(app: string, golden: GoldenMenu): Given {
  const { payload, losses } = transformGolden(app, golden);
  const { menu, store } = golden.inputFor(GOLDEN_STORE);
  const shown = payload
    ? adapterOf(app).readShown(payload, { store, sentMenus: menu.menus })
    : { menus: [], items: [], modifier_groups: [] };
  return { shown, losses };
}

/** The page, without the marks that stand for others in HTML. */
function render({ shown, losses }: Given, mostItems = 500): string {
  return renderToString(h(ShownMenu, { shown, losses, mostItems }))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
}

const times = (page: string, text: string) => page.split(text).length - 1;

const loss = (pointer: string, id: string, message: string): Loss => ({
  code: 'text_cut',
  severity: 'warn',
  pointer,
  external_id: id,
  message,
});

describe.each(APP_NAMES)('of every shared menu in %s', (app) => {
  test.each(readGoldenMenus().map((golden) => [golden.name, golden] as const))(
    'every loss of %s is on the page, however few items it shows',
    (_name, golden) => {
      const menu = given(app, golden);
      for (const mostItems of [500, 1, 0]) {
        const page = render(menu, mostItems);
        const missing = menu.losses.filter(({ message }) => !page.includes(message));
        expect([mostItems, missing]).toEqual([mostItems, []]);
      }
    },
  );
});

test('the loss of an item that is only an option stands beside the group that it is an option of', () => {
  const menu = given('app-c', readGoldenMenu('promotions'));
  const inRows = new Set(
    menu.shown.menus.flatMap((each) => each.categories.flatMap((c) => c.items)),
  );
  const ofOptions = menu.losses.filter(
    ({ pointer, external_id: id }) => pointer.startsWith('/items/') && !inRows.has(id ?? ''),
  );
  expect(ofOptions.length).toBeGreaterThan(0);
  const page = render(menu);
  const groups = page.slice(page.indexOf('Modifier groups'), page.indexOf(OTHERS));
  for (const { message } of ofOptions) expect(groups).toContain(message);
});

test('a loss of an id that a category and an item share stands beside the one that has it, once', () => {
  const menu = given('app-b', readGoldenMenu('same-ids-across-kinds'));
  const [shared] = menu.shown.menus.flatMap(({ categories }) =>
    categories.filter(({ external_id: id, items }) => items.includes(id)),
  );
  const id = shared?.external_id ?? '';
  const page = render({ ...menu, losses: [loss('/items/0', id, 'The item lost something.')] });
  expect(times(page, 'The item lost something.')).toBe(1);
  expect(page.indexOf('The item lost something.')).toBeLessThan(page.indexOf(OTHERS));
});

test('the loss of a group that is shown only as copies stands with the other losses', () => {
  const group = { name: 'Extras', min: 0, max: 2, options: [] };
  const shown: Shown = {
    menus: [],
    items: [],
    modifier_groups: [{ external_id: 'G1~I1', ...group }],
  };
  const losses = [loss('/modifier_groups/0', 'G1', 'The group was copied.')];
  const page = render({ shown, losses });
  expect(page.slice(page.indexOf(OTHERS))).toContain('The group was copied.');
});

test('the loss of an option of many groups stands once', () => {
  const option = { external_id: 'I1', price: '100', promotion_price: null, min: null, max: null };
  const group = { name: 'Extras', min: 0, max: 2, options: [option] };
  const shown: Shown = {
    menus: [],
    items: [],
    modifier_groups: ['G1', 'G2'].map((id) => ({ external_id: id, ...group })),
  };
  const losses = [loss('/items/0', 'I1', 'The option lost something.')];
  expect(times(render({ shown, losses }), 'The option lost something.')).toBe(1);
});
