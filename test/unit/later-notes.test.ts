import { createLaterNotes } from '../../src/webhooks/consumer/later-notes';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function createNotes() {
  const told: number[] = [];
  const note = createLaterNotes(async (shard) => void told.push(shard));
  return { told, note };
}

test('a shard is told of at once, and of all that comes within ten seconds once more at their end', () => {
  const { told, note } = createNotes();
  for (let nth = 0; nth < 100; nth += 1) note(7);
  expect(told).toEqual([7]);
  jest.advanceTimersByTime(9_999);
  expect(told).toEqual([7]);
  jest.advanceTimersByTime(1);
  expect(told).toEqual([7, 7]);
  jest.advanceTimersByTime(60_000);
  expect(told).toEqual([7, 7]);
  note(7);
  expect(told).toEqual([7, 7, 7]);
});

test('shards are told of apart from each other', () => {
  const { told, note } = createNotes();
  note(1);
  note(2);
  expect(told).toEqual([1, 2]);
});
