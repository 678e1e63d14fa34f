import { availabilityOf } from '../support/availability-calls';
import { fieldCallsOf } from '../support/field-calls';
import { readFieldMenu } from '../support/field-menu';
import { startSystem, stopSystems, type System } from '../support/system';

let system: System;
beforeAll(async () => {
  system = await startSystem({ env: { MENU_EQUAL_QUANTITIES: 'accept', APP_D: 'rappi' } });
});
afterAll(stopSystems);

test.concurrent('App C takes a menu of 20 categories with options, again too, and shows its categories as sent', async () => {
  const calls = fieldCallsOf(system, await system.openShop('app-c'));
  const sent = readFieldMenu('40-twenty-categories-and-options');
  expect(await calls.previewed(sent)).toEqual([]);
  const uploaded = await calls.upload(sent);
  expect(uploaded.status).toBe(200);
  const republished = await calls.republish(uploaded.uploadId);
  expect(republished.status).toBe(200);
  const { data } = await calls.shown(uploaded.uploadId);
  const [menu] = data['menus'] as { categories: { external_id: string; items: string[] }[] }[];
  expect(menu?.categories.map(({ external_id: id, items }) => [id, ...items])).toEqual(
    sent.menu.categories.map((category) => [
      category.external_id,
      ...category.data_items.map((item) => item.item_external_id),
    ]),
  );
});

test.concurrent('App A takes half an hour that goes on without a gap, and what it shows is not drift', async () => {
  const shop = await system.openShop('app-a');
  const calls = fieldCallsOf(system, shop);
  const sent = readFieldMenu('22-half-hour-window');
  expect(await calls.previewed(sent)).toEqual([]);
  expect((await calls.upload(sent)).status).toBe(200);
  const { data } = await availabilityOf(system, shop).checkLive();
  expect(data.drift.state).toBe('same');
});

test.concurrent('a preview names the required choice that App D cannot ask for, and the one that nobody can answer', async () => {
  const calls = fieldCallsOf(system, await system.openShop('app-d'));
  expect(await calls.previewed(readFieldMenu('55-required-choice-lost-by-nesting'))).toEqual([
    'menu_schedule_ignored m',
    'nested_groups_dropped salad',
    'required_choice_dropped dress',
  ]);
  expect(await calls.previewed(readFieldMenu('35-min-above-number-of-options'))).toEqual([
    'menu_schedule_ignored m',
    'choice_impossible sides',
  ]);
});
