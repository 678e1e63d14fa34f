import { createLapseRecord } from '../../src/webhooks/drain/line-watch';

const one = { line: 1, epoch: 11 };
const other = { line: 2, epoch: 12 };

test('an expired promise is acted on when it is found a second time, not at once', () => {
  const lapses = createLapseRecord(400);
  expect(lapses.confirm([one], 0)).toEqual([]);
  expect(lapses.confirm([one, other], 500)).toEqual([one]);
  expect(lapses.confirm([one, other], 1_000)).toEqual([other]);
});

test('a promise renewed meanwhile starts over', () => {
  const lapses = createLapseRecord(400);
  lapses.confirm([one], 0);
  expect(lapses.confirm([], 500)).toEqual([]);
  expect(lapses.confirm([one], 1_000)).toEqual([]);
  expect(lapses.confirm([one], 1_500)).toEqual([one]);
});

test('lines that never had a drain are acted on together', () => {
  const lapses = createLapseRecord(3_000);
  const lines = [
    { line: 1, epoch: 0 },
    { line: 2, epoch: 0 },
  ];
  lapses.confirm(lines, 0);
  expect(lapses.confirm(lines, 3_000)).toEqual(lines);
});

test('a lapse that persists for ten seconds is acted on again', () => {
  const lapses = createLapseRecord(400);
  lapses.confirm([one], 0);
  expect(lapses.confirm([one], 500)).toEqual([one]);
  expect(lapses.confirm([one], 10_000)).toEqual([]);
  expect(lapses.confirm([one], 10_500)).toEqual([one]);
});
