import { taskOutcome } from '../../src/delivery-apps/app-c/task-outcome';
import { failure, lastWords, operation } from './app-c-operations';

describe('what a task of App C says about an entity', () => {
  it.each([
    ['a text', operation('uploadTaskDone', failure('P1', 'too dear')), 'too dear'],
    ['a number without a meaning', lastWords({ errno: 7, id: 'P1' }), 'errno 7'],
    ['no reason', lastWords({ id: 'P1' }), 'The app gave no reason.'],
  ])('1 with a bad image of an item that is refused by %s is partly live', (_, last, message) => {
    for (const words of ['bad link', '']) {
      const operationList = [operation('imageUrlCheck', failure('P1', words)), last];
      expect(taskOutcome({ status: 1, operationList })).toEqual({
        kind: 'partly_live',
        failed: [{ externalId: 'P1', message }],
      });
    }
  });

  it('tells a category and a group from an item with the same id', () => {
    const operationList = [
      operation('cateUpdate', { appCateID: '10', message: 'update err' }),
      operation('itemUpdate', failure('11', 'update err')),
      lastWords(
        { errno: 10036, id: '10' },
        { errno: 10065, id: '11' },
        { errno: 10027, id: '11' },
        { errno: 80108, id: '12' },
      ),
    ];
    expect(taskOutcome({ status: 5, operationList })).toEqual({
      kind: 'partly_live',
      failed: [
        { externalId: '10', message: 'the name is too long (errno 10036)', isNoItem: true },
        { externalId: '11', message: 'the price is not allowed (errno 10027)' },
        {
          externalId: '11',
          message: 'the buy mode of the modifier group is not allowed (errno 10065)',
          isNoItem: true,
        },
        {
          externalId: '12',
          message: 'the id of the category is too long (errno 80108)',
          isNoItem: true,
        },
      ],
    });
  });

  it('keeps an id with a control character, as our API takes it', () => {
    const operationList = [
      operation('itemUpdate', failure('a\tb', 'update err')),
      lastWords({ errno: 10027, id: 'a\tb', name: 'Soup' }),
    ];
    expect(taskOutcome({ status: 5, operationList })).toEqual({
      kind: 'partly_live',
      failed: [{ externalId: 'a\tb', message: 'the price is not allowed (errno 10027)' }],
    });
  });
});
