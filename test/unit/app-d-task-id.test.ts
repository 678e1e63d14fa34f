import { digestIn, taskIdOf } from '../../src/delivery-apps/app-d/task-id';
import { APP_D_READERS } from '../../src/delivery-apps/app-d/text-readers';

const textOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const child = (sku: string) => ({ sku, price: 1, name: `Topping ${sku}`, children: [] });
const PIZZA = { sku: 'I1', price: 10, name: 'Pizza', children: [child('T1'), child('T2')] };

/** The task of a menu with these items, pushed now. */
function taskOf(items: unknown): string {
  const [storeId = '', digest = ''] = APP_D_READERS.pushed(textOf({ storeId: '9', items }));
  return taskIdOf(storeId, digest);
}

/** Whether the app shows the menu of the task, if these are the items of the store. */
function isShown(task: string, items: unknown[]): boolean {
  const menus = [
    { storeId: '8', items: [] },
    { storeId: 9, items },
  ];
  return APP_D_READERS.shown(textOf(menus), '9')?.[0] === digestIn(task);
}

describe('the task of a menu of App D', () => {
  test('differs for each push, and recognises its menu by SKUs, prices and names', () => {
    const task = taskOf([PIZZA]);
    expect(taskOf([PIZZA])).not.toBe(task);
    expect(task).toMatch(/^9\//);
    expect(isShown(task, [PIZZA])).toBe(true);
    expect(isShown(task, [{ ...PIZZA, price: 11 }])).toBe(false);
    expect(isShown(task, [{ ...PIZZA, children: [child('T1')] }])).toBe(false);
    expect(isShown(task, [])).toBe(false);
  });

  test('is compared with an answer of 200,000 children', () => {
    const children = Array.from({ length: 200_000 }, (_, n) => child(`T${n}`));
    const items = [{ ...PIZZA, children }];
    expect(isShown(taskOf(items), items)).toBe(true);
  });
});

test('an answer without the store shows no menu there, and one of another form is unreadable', () => {
  const others = textOf([{ storeId: '8', items: [] }]);
  expect(APP_D_READERS.shown(others, '9')).toEqual([]);
  expect(APP_D_READERS.own(others, '9')).toEqual([]);
  expect(APP_D_READERS.own(others, '8')).toEqual(['{"storeId":"8","items":[]}']);
  for (const text of ['{}', '<html>', '[{"storeId":"9"}]']) {
    expect(APP_D_READERS.shown(Buffer.from(text), '9')).toBeUndefined();
  }
  expect(APP_D_READERS.own(Buffer.from('{}'), '9')).toBeUndefined();
  // Some servers begin their answers with a byte order mark.
  expect(APP_D_READERS.own(Buffer.from('\uFEFF[]'), '9')).toEqual([]);
});
