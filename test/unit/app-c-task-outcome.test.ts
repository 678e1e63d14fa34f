import { taskOutcome } from '../../src/delivery-apps/app-c/task-outcome';

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
    const bad = failure('P1', 'bad link');
    const operationList = [operation('itemUpdate'), operation('imageUrlCheck', bad), summary(bad)];
    expect(taskOutcome({ status, operationList })).toEqual({
      kind: 'live',
      warnings: [{ externalId: 'P1', message: 'bad link' }],
    });
  });

  it('5 names each refused entity once, by its POS id, and no item for its image alone', () => {
    const operationList = [
      operation('imageUrlCheck', failure('P3', 'bad link')),
      operation('cateUpdate', failure('C1', 'no name')),
      operation('itemUpdate', failure('P1', 'no price'), failure('P2', '')),
      summary(failure('P1', 'again'), failure('P3', 'again'), failure('P4', 'only here')),
    ];
    expect(taskOutcome({ status: 5, operationList })).toEqual({
      kind: 'partly_live',
      failed: [
        { externalId: 'C1', message: 'no name' },
        { externalId: 'P1', message: 'no price' },
        { externalId: 'P2', message: 'The app gave no reason.' },
        { externalId: 'P4', message: 'only here' },
      ],
    });
  });

  it('5 stays partly live where the app names nobody', () => {
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

  it('keeps an id without POS id findable, and the words of the app clean and short', () => {
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
        { externalId: '3458764739727720400', message: `a b${'x'.repeat(297)}` },
        { externalId: '7', message: 'short id' },
        { externalId: 'Pizza', message: 'no id' },
      ],
    });
  });

  it.each([
    [null],
    [{}],
    [[null, 1, 'x', {}]],
    [[{ operationType: 'itemUpdate', failedList: {} }]],
    [[{ operationType: 'uploadTaskDone', errorList: '[1,' }]],
    [[{ operationType: 'uploadTaskDone', errorList: '{"a":1}', failedList: 'none' }]],
  ])('reads a success with the operations %j', (operationList) => {
    expect(taskOutcome({ status: 1, operationList })).toEqual({ kind: 'live' });
  });
});

function failure(appItemID: string, message: string) {
  return { status: 0, message, itemID: '3458764739727720401', itemName: 'Name', appItemID };
}

function operation(operationType: string, ...failedList: readonly unknown[]) {
  return { operationType, successList: [], failedList };
}

function summary(...failures: readonly unknown[]) {
  return { operationType: 'uploadTaskDone', errorList: JSON.stringify(failures), failInfoUrl: '' };
}
