import { isShownMenu, taskIdOf } from '../../src/delivery-apps/app-d/task-id';

const menuOf = (items: unknown): Buffer => Buffer.from(JSON.stringify({ storeId: '9', items }));
const child = (sku: string) => ({ sku, price: 1, name: `Topping ${sku}`, children: [] });

describe('the task of a menu of App D', () => {
  test('differs for each push, and recognises its menu by SKUs, prices and names', () => {
    const items = [{ sku: 'I1', price: 10, name: 'Pizza', children: [child('T1'), child('T2')] }];
    const task = taskIdOf(menuOf(items));
    expect(taskIdOf(menuOf(items))).not.toBe(task);
    expect(isShownMenu(task, items)).toBe(true);
    expect(isShownMenu(task, [{ ...items[0], price: 11 }])).toBe(false);
    expect(isShownMenu(task, [{ ...items[0], children: [child('T1')] }])).toBe(false);
    expect(isShownMenu(task, undefined)).toBe(false);
  });

  test('is compared with an answer of 200,000 children', () => {
    const children = Array.from({ length: 200_000 }, (_, n) => child(`T${n}`));
    const items = [{ sku: 'I1', price: 10, name: 'Pizza', children }];
    expect(isShownMenu(taskIdOf(menuOf(items)), items)).toBe(true);
  });
});
