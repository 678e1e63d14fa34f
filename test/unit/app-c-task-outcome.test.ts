import { taskOutcome } from '../../src/delivery-apps/app-c/task-outcome';
import { failure, lastWords, operation } from './app-c-operations';

describe('the state of a task of App C', () => {
  it.each([
    [0, 'waiting'],
    [4, 'running'],
    [3, 'waitRetry'],
  ])('%i is still at work: %s', (status, name) => {
    expect(taskOutcome({ status })).toEqual({ kind: 'running', status: name });
  });

  it.each([undefined, null, '1', true, -1, 6, 1.5, {}])(
    '%j is unknown, never success',
    (status) => {
      expect(taskOutcome({ status }).kind).toBe('unknown');
    },
  );

  it('1 is live', () => {
    expect(taskOutcome({ status: 1 })).toEqual({ kind: 'live' });
    expect(taskOutcome({ status: 1, operationList: [operation('itemUpdate')] })).toEqual({
      kind: 'live',
    });
  });

  it.each([1, 5])('%i with nothing but bad images is live with warnings', (status) => {
    const operationList = [
      operation('itemUpdate'),
      operation('imageUrlCheck', failure('P1', 'bad link')),
      operation('imageUpdate', failure('P2', 'update err')),
      operation('uploadTaskDone', failure('P2', 'update err')),
    ];
    expect(taskOutcome({ status, operationList })).toEqual({
      kind: 'live',
      warnings: [
        { externalId: 'P1', message: 'bad link' },
        { externalId: 'P2', message: 'update err' },
      ],
    });
  });

  it.each([100201, 100202])('1 with nothing but the note %i is live with a warning', (errno) => {
    expect(taskOutcome({ status: 1, operationList: [lastWords({ errno, id: 'P1' })] })).toEqual({
      kind: 'live',
      warnings: [{ externalId: 'P1', message: `errno ${errno}` }],
    });
  });

  it('1 with a bad image of an item that is refused for another reason is partly live', () => {
    const operationList = [
      operation('imageUrlCheck', failure('P1', 'bad link')),
      lastWords({ errno: 10036, id: 'P1' }),
    ];
    expect(taskOutcome({ status: 1, operationList })).toEqual({
      kind: 'partly_live',
      failed: [{ externalId: 'P1', message: 'the name is too long (errno 10036)' }],
    });
  });

  it.each([10027, 77])('1 with the refusal %i and a note is partly live in any order', (errno) => {
    const refusal = { errno, id: 'P1' };
    const note = { errno: 100201, id: 'P1' };
    for (const words of [lastWords(refusal, note), lastWords(note, refusal)]) {
      expect(taskOutcome({ status: 1, operationList: [words] })).toEqual({
        kind: 'partly_live',
        failed: [{ externalId: 'P1', message: expect.stringContaining(`errno ${errno}`) }],
      });
    }
  });

  it('takes an own id of 0 for none, and cleans a name in place of an id', () => {
    const operationList = [
      operation('itemUpdate', { itemID: 0, appItemID: '', itemName: 'Piz\0za', message: 'a' }),
      operation('uploadTaskDone', { itemID: 0, itemName: '', message: 'too many items' }),
      lastWords({ errno: 10027, id: '', name: `Soup\0${'x'.repeat(400)}` }),
    ];
    expect(taskOutcome({ status: 5, operationList })).toMatchObject({
      failed: [
        { externalId: 'Piz za', message: 'a' },
        { externalId: '', message: 'too many items' },
        { externalId: `Soup ${'x'.repeat(295)}` },
      ],
    });
  });

  it.each([1, 5])('%i names what only its last operation refuses', (status) => {
    const operationList = [
      operation('itemUpdate'),
      lastWords(
        { errno: 10037, name: 'Soup', id: 'P1', val: 'x'.repeat(12), limit: '400' },
        { errno: 80107, name: 'Soup of the day', id: '', val: '', limit: '' },
      ),
    ];
    expect(taskOutcome({ status, operationList })).toEqual({
      kind: 'partly_live',
      failed: [
        {
          externalId: 'P1',
          message: 'the description is too long (errno 10037), value xxxxxxxxxxxx, limit 400',
        },
        {
          externalId: 'Soup of the day',
          message: 'a word is forbidden (errno 80107)',
          isNoItem: true,
        },
      ],
    });
  });

  it('takes a last operation that is not JSON as the reason', () => {
    const operationList = [operation('uploadTaskDone', { status: 0, message: 'too many items' })];
    expect(taskOutcome({ status: 2, operationList })).toEqual({
      kind: 'rejected',
      reasons: ['too many items'],
    });
  });

  it('finds the POS id of a category and of a menu', () => {
    const operationList = [
      operation('cateUpdate', { appCateID: 'C1', message: 'a' }),
      operation('menuUpdate', { appMenuID: 'M1', message: 'b' }),
    ];
    expect(taskOutcome({ status: 5, operationList })).toMatchObject({
      failed: [
        { externalId: 'C1', isNoItem: true },
        { externalId: 'M1', isNoItem: true },
      ],
    });
  });

  it("prefers the last operation's text to `update err`", () => {
    const operationList = [
      operation('itemUpdate', failure('P1', 'update err')),
      lastWords({ errno: 10027, id: 'P1' }),
    ];
    expect(taskOutcome({ status: 5, operationList })).toEqual({
      kind: 'partly_live',
      failed: [{ externalId: 'P1', message: 'the price is not allowed (errno 10027)' }],
    });
  });

  it('5 names each refused entity once, by its POS id, and no item for its image alone', () => {
    const operationList = [
      operation('imageUrlCheck', failure('P3', 'bad link')),
      operation('cateUpdate', failure('C1', 'no name')),
      operation('itemUpdate', failure('P1', 'no price'), failure('P2', '')),
      lastWords({ errno: 80107, id: 'P4' }),
    ];
    expect(taskOutcome({ status: 5, operationList })).toEqual({
      kind: 'partly_live',
      failed: [
        { externalId: 'C1', message: 'no name' },
        { externalId: 'P1', message: 'no price' },
        { externalId: 'P2', message: 'The app gave no reason.' },
        { externalId: 'P4', message: 'a word is forbidden (errno 80107)' },
      ],
    });
  });

  it('5 stays partly live if the app names no entity', () => {
    expect(taskOutcome({ status: 5 })).toEqual({ kind: 'partly_live', failed: [] });
  });

  it('1 with a refused item is not a success', () => {
    const operationList = [operation('itemUpdate', failure('P1', 'no price'))];
    expect(taskOutcome({ status: 1, operationList }).kind).toBe('partly_live');
  });

  it('2 is rejected, with every reason that the app gives', () => {
    const operationList = [operation('itemUpdate', failure('P1', 'no price'))];
    expect(taskOutcome({ status: 2, message: 'failed', operationList })).toEqual({
      kind: 'rejected',
      reasons: ['failed', 'no price, related app_item_id is P1'],
    });
    expect(taskOutcome({ status: 2 })).toEqual({
      kind: 'rejected',
      reasons: ['The app gave no reason.'],
    });
  });

  it('2 has all reasons: several for one entity, and those for none', () => {
    const operationList = [
      lastWords(
        { errno: 10036, id: 'P1' },
        { errno: 10037, id: 'P1' },
        { errno: 80115, id: '', name: '' },
        { errno: 10302, id: '', name: '' },
      ),
    ];
    expect(taskOutcome({ status: 2, operationList })).toEqual({
      kind: 'rejected',
      reasons: [
        'the name is too long (errno 10036); the description is too long (errno 10037), related app_item_id is P1',
        'there are too many items (errno 80115)',
        'there are too many categories (errno 10302)',
      ],
    });
  });

  it("keeps an entity without POS id findable, and the app's text clean and short", () => {
    const operationList = [
      operation(
        'itemUpdate',
        { itemID: '3458764739727720400', message: `a\nb${'x'.repeat(400)}` },
        { itemID: 7, message: 'short id' },
        { itemName: 'Pizza', message: 'no id' },
      ),
    ];
    expect(taskOutcome({ status: 5, operationList })).toEqual({
      kind: 'partly_live',
      failed: [
        {
          externalId: '3458764739727720400',
          message: `a b${'x'.repeat(297)}`,
          isNoItem: true,
        },
        { externalId: '7', message: 'short id', isNoItem: true },
        { externalId: 'Pizza', message: 'no id', isNoItem: true },
      ],
    });
  });

  it.each([
    [null],
    [{}],
    [[null, 1, 'x', {}]],
    [[{ operationType: 'itemUpdate', failedList: {} }]],
    [[{ operationType: 'uploadTaskDone', failedList: [] }]],
    [[{ operationType: 'uploadTaskDone', failedList: [{ message: '[]' }] }]],
    [[{ operationType: 'uploadTaskDone', failedList: 'none' }]],
  ])('reads a success with the operations %j', (operationList) => {
    expect(taskOutcome({ status: 1, operationList })).toEqual({ kind: 'live' });
  });
});

it.each([
  [59002, 'there are too many sale times'],
  [80112, 'the purchase limit is not allowed'],
  [80113, 'the status is not allowed'],
  [80138, 'the name is not allowed'],
  [80139, 'the name is not allowed'],
  [80140, 'the name is not allowed'],
  [80150, 'the item has too many modifier groups'],
])('a refusal with %i says that %s', (errno, words) => {
  const operationList = [lastWords({ errno, id: 'P1' })];
  expect(taskOutcome({ status: 5, operationList })).toEqual({
    kind: 'partly_live',
    failed: [{ externalId: 'P1', message: `${words} (errno ${errno})` }],
  });
});
