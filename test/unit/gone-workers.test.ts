import { CONFIRM_MS, createGoneRecord } from '../../src/webhooks/consumer/worker-lease';

test('a worker that is gone counts as gone when it is found so a second time, not at once', () => {
  const gone = createGoneRecord();
  expect(gone.confirm(['a'], 0)).toEqual([]);
  expect(gone.confirm(['a', 'b'], CONFIRM_MS)).toEqual(['a']);
  expect(gone.confirm(['a', 'b'], 2 * CONFIRM_MS)).toEqual(['a', 'b']);
});

test('a worker that was back meanwhile starts over', () => {
  const gone = createGoneRecord();
  gone.confirm(['a'], 0);
  expect(gone.confirm([], CONFIRM_MS)).toEqual([]);
  expect(gone.confirm(['a'], 2 * CONFIRM_MS)).toEqual([]);
  expect(gone.confirm(['a'], 3 * CONFIRM_MS)).toEqual(['a']);
});
