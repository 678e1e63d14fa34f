import { taskIdOf } from '../../src/delivery-apps/app-d/task-id';
import { APP_D_READERS } from '../../src/delivery-apps/app-d/text-readers';

const textOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

test('the task of a menu of App D differs for each push', () => {
  expect(taskIdOf('9')).toMatch(/^9\//);
  expect(taskIdOf('9')).not.toBe(taskIdOf('9'));
});

test('an answer without the store shows no menu there, and one of another form is unreadable', () => {
  const others = textOf([{ storeId: '8', items: [] }]);
  expect(APP_D_READERS.own(others, '9')).toEqual([]);
  expect(APP_D_READERS.own(others, '8')).toEqual(['{"storeId":"8","items":[]}']);
  for (const text of ['{}', '<html>']) {
    expect(APP_D_READERS.own(Buffer.from(text), '9')).toBeUndefined();
  }
  // Some servers begin their answers with a byte order mark.
  expect(APP_D_READERS.own(Buffer.from('\uFEFF[]'), '9')).toEqual([]);
});
